// internal/errors/codes_http2 -- the rows of internal/errors/codes whose code begins with
// ERR_HTTP2_.

exports.table = {
  __proto__: null,
  ERR_HTTP2_ALTSVC_INVALID_ORIGIN: ["TypeError", "HTTP/2 ALTSVC frames require a valid origin"],
  ERR_HTTP2_ALTSVC_LENGTH: ["TypeError", "HTTP/2 ALTSVC frames are limited to 16382 bytes"],
  ERR_HTTP2_CONNECT_AUTHORITY: ["Error", ":authority header is required for CONNECT requests"],
  ERR_HTTP2_CONNECT_PATH: ["Error", "The :path header is forbidden for CONNECT requests"],
  ERR_HTTP2_CONNECT_SCHEME: ["Error", "The :scheme header is forbidden for CONNECT requests"],
  ERR_HTTP2_GOAWAY_SESSION: ["Error", "New streams cannot be created after receiving a GOAWAY"],
  ERR_HTTP2_HEADERS_AFTER_RESPOND: [
    "Error", "Cannot specify additional headers after response initiated",
  ],
  ERR_HTTP2_HEADERS_SENT: ["Error", "Response has already been initiated."],
  ERR_HTTP2_HEADER_SINGLE_VALUE: [
    "TypeError", 'Header field "%s" must only have a single value',
  ],
  ERR_HTTP2_INFO_STATUS_NOT_ALLOWED: ["RangeError", "Informational status codes cannot be used"],
  ERR_HTTP2_INVALID_CONNECTION_HEADERS: [
    "TypeError", 'HTTP/1 Connection specific headers are forbidden: "%s"',
  ],
  ERR_HTTP2_INVALID_HEADER_VALUE: ["TypeError", 'Invalid value "%s" for header "%s"'],
  ERR_HTTP2_INVALID_INFO_STATUS: ["RangeError", "Invalid informational status code: %s"],
  ERR_HTTP2_INVALID_ORIGIN: ["TypeError", "HTTP/2 ORIGIN frames require a valid origin"],
  ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH: [
    "RangeError", "Packed settings length must be a multiple of six",
  ],
  ERR_HTTP2_INVALID_PSEUDOHEADER: [
    "TypeError", '"%s" is an invalid pseudoheader or is used incorrectly',
  ],
  ERR_HTTP2_INVALID_SESSION: ["Error", "The session has been destroyed"],
  ERR_HTTP2_INVALID_SETTING_VALUE: [
    "TypeError",
    (name, actual) => `Invalid value for setting "${name}": ${actual}`,
    (err, args) => {
      err.actual = args[1];
    },
  ],
  ERR_HTTP2_INVALID_STREAM: ["Error", "The stream has been destroyed"],
  ERR_HTTP2_MAX_PENDING_SETTINGS_ACK: [
    "Error", "Maximum number of pending settings acknowledgements",
  ],
  ERR_HTTP2_NESTED_PUSH: ["Error", "A push stream cannot initiate another push stream."],
  ERR_HTTP2_NO_MEM: ["Error", "Out of memory"],
  ERR_HTTP2_NO_SOCKET_MANIPULATION: [
    "Error", "HTTP/2 sockets should not be directly manipulated (e.g. read and written)",
  ],
  ERR_HTTP2_ORIGIN_LENGTH: ["TypeError", "HTTP/2 ORIGIN frames are limited to 16382 bytes"],
  ERR_HTTP2_OUT_OF_STREAMS: [
    "Error", "No stream ID is available because maximum stream ID has been reached",
  ],
  ERR_HTTP2_PAYLOAD_FORBIDDEN: ["Error", "Responses with %s status must not have a payload"],
  ERR_HTTP2_PING_CANCEL: ["Error", "HTTP2 ping cancelled"],
  ERR_HTTP2_PING_LENGTH: ["RangeError", "HTTP2 ping payload must be 8 bytes"],
  ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED: ["TypeError", "Cannot set HTTP/2 pseudo-headers"],
  ERR_HTTP2_PUSH_DISABLED: ["Error", "HTTP/2 client has disabled push streams"],
  ERR_HTTP2_SEND_FILE: ["Error", "Directories cannot be sent"],
  ERR_HTTP2_SEND_FILE_NOSEEK: [
    "Error", "Offset or length can only be specified for regular files",
  ],
  ERR_HTTP2_SESSION_ERROR: ["Error", "Session closed with error code %s"],
  ERR_HTTP2_SETTINGS_CANCEL: ["Error", "HTTP2 session settings canceled"],
  ERR_HTTP2_SOCKET_BOUND: ["Error", "The socket is already bound to an Http2Session"],
  ERR_HTTP2_SOCKET_UNBOUND: ["Error", "The socket has been disconnected from the Http2Session"],
  ERR_HTTP2_STATUS_101: [
    "Error", "HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2",
  ],
  ERR_HTTP2_STATUS_INVALID: ["RangeError", "Invalid status code: %s"],
  ERR_HTTP2_STREAM_CANCEL: [
    "Error",
    (error) => {
      const text = "The pending stream has been canceled";
      return typeof error?.message === "string" ? `${text} (caused by: ${error.message})` : text;
    },
    (err, args) => {
      if (args[0]) err.cause = args[0];
    },
  ],
  ERR_HTTP2_STREAM_ERROR: ["Error", "Stream closed with error code %s"],
  ERR_HTTP2_STREAM_SELF_DEPENDENCY: ["Error", "A stream cannot depend on itself"],
  ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS: [
    "Error", "Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS",
  ],
  ERR_HTTP2_TOO_MANY_INVALID_FRAMES: ["Error", "Too many invalid HTTP/2 frames"],
  ERR_HTTP2_TOO_MANY_ORIGINS: [
    "Error", "The server sent more ORIGIN frames than the allowed number of %s",
  ],
  ERR_HTTP2_TRAILERS_ALREADY_SENT: ["Error", "Trailing headers have already been sent"],
  ERR_HTTP2_TRAILERS_NOT_READY: [
    "Error",
    "Trailing headers cannot be sent until after the wantTrailers event is emitted",
  ],
  ERR_HTTP2_UNSUPPORTED_PROTOCOL: ["Error", 'protocol "%s" is unsupported.'],
};
