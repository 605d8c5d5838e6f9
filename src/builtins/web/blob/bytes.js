// web/blob/bytes -- bytes and text for Blob and bodies.
//
// native: decode(bytes) -> string, without a byte order mark; encode(string) -> Uint8Array;
//   concat(array of Uint8Array, total) -> Uint8Array; copy(buffer) -> Uint8Array or undefined;
//   keep(buffer): the same, not to be changed nor handed out; share(bytes): likewise, for what
//   is sent to sockets many times
return native;
