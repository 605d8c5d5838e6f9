// node:http2/http2_session -- the natives of sessions (http2_session.c).
// @internal
return native;
