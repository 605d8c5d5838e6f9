// node:http2/http2_stream -- the natives of streams (http2_stream.c).
// @internal
return native;
