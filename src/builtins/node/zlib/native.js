// @internal
// node:zlib/native -- the functions of native.c, for node:zlib and CompressionStream.
return native;
