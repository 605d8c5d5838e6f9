// @internal
// node:dns/binding -- the native half of node:dns, shared by its modules; see binding.c.
return native;
