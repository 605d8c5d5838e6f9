// @internal
// node:fs/binding -- the operations of node:fs (C half).
//
// native: one function an operation, called with a callback `(error, value)` or undefined (do it
// now, return the value, throw the error), then its arguments (binding.c).
return native;
