// internal/http_parser -- the natives of http_parser.c: HTTP/1 messages from bytes.
return native;
