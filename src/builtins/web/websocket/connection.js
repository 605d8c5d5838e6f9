// web/websocket/connection -- the native half of WebSocket. See connection.c.
return native;
