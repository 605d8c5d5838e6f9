// internal/http_host/http_ws -- the natives of WebSockets of servers (http_ws.c).
return native;
