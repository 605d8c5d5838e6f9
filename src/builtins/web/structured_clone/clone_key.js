// web/structured_clone/clone_key -- the key of the method by which objects of ours are cloned; apart
// from the writer, so that defining a class does not load it.

exports.kClone = Symbol("clone");
