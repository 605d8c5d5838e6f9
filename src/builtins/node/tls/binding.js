// @internal
// node:tls/binding -- the native half of node:tls, shared by its modules; see binding.c.
return native;
