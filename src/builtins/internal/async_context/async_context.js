// internal/async_context -- the value that follows a program through its callbacks.
//
// The module is an object `{ frame, isUsed }` that the engine knows, too (engine/js_async.c).
// `frame` is undefined or an AsyncFrame of node:async_hooks.  Reactions of promises and await keep
// and restore it by themselves; whoever keeps a callback for later reads `frame` when it is handed
// over, and calls it with
//
//   const outer = context.frame;
//   context.frame = kept;
//   try { callback(); } finally { context.frame = outer; }
//
// As long as `isUsed` is false every frame is undefined, and the writes may be left out.
return native.holder();
