// internal/http_host/http_answer -- the natives that answer requests (http_answer.c).
return native;
