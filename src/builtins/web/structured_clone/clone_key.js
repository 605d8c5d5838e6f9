// web/structured_clone/clone_key -- the key of the method by which objects of ours are cloned; not
// in the writer, so that defining a class does not load that.

exports.kClone = Symbol("clone");
