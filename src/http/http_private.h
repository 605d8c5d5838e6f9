/* http/http_private.h -- what the files of the server tell each other. */
#pragma once

#include "http/http_server.h"
#include "net/net.h"

/* Takes and gives back buffers that stay warm (http_server.c). */
Buf http_buf_take(HttpServer *s);
/* The same for a body: http_buf_give keeps one that is large. */
Buf http_large_buf_take(HttpServer *s);
void http_buf_give(HttpServer *s, Buf *b);
/* The deadline of a connection has changed. */
void http_server_watch(HttpServer *s, HttpConn *c);
/* Has http_conn_read called soon, from the loop. */
void http_server_call_soon(HttpServer *s, HttpConn *c);
/* A connection is gone: its memory is the server's again. */
void http_server_drop(HttpServer *s, HttpConn *c);
void http_server_busy(HttpServer *s, HttpConn *c, bool is_busy);
Str http_server_date(HttpServer *s);

/* A new connection on fd starts to receive (http_conn.c). */
void http_conn_open(HttpConn *c);
/* Bytes have come, decrypted ones if that applies; their end. */
void http_conn_input(HttpConn *c, Str in);
void http_conn_input_end(HttpConn *c);
/* Works on what has been received. */
void http_conn_read(HttpConn *c);
/* Sets the deadline that the state asks for. */
void http_conn_touch(HttpConn *c);
void http_conn_expire(HttpConn *c);
/* All was sent (http_send.c calls). */
void http_conn_sent(HttpConn *c);
/* What must end with a request: reads on, or closes. */
void http_conn_next(HttpConn *c);
void http_send_stop(HttpConn *c);
/* Nothing is under way, so that http_conn_send_pages may be called. */
bool http_conn_may_send(const HttpConn *c);
/* Sends `out` and behind it bytes of a file, now and without copying these.  How many of them went;
 * errors show when the rest is sent. */
usize http_conn_send_pages(HttpConn *c, int fd, u64 off, usize n);
/* One of the things that a close waits for is over. */
void http_conn_closed(HttpConn *c);
/* All of the piece before was sent (http_file.c). */
void http_file_next(HttpConn *c);
/* false: http_conn_closed will be called once more. */
bool http_file_stop(HttpConn *c);

/* TLS (http_tls.c).  Of all these c->tls is set. */
void http_tls_open(HttpConn *c);
void http_tls_free(HttpConn *c); /* NULL is fine */
bool http_tls_is_secure(const HttpConn *c);
/* Encrypted bytes have come. */
void http_tls_input(HttpConn *c, Str in);
/* Sends the next piece of c->iov, and what TLS itself has to say.  false: there is nothing. */
bool http_tls_send(HttpConn *c);
/* Starts the operation (http_send.c). */
void http_send_cipher(HttpConn *c, Str bytes);

/* HTTP/2: the session of a connection (http_session.c). */
enum { HTTP_PREFACE_SIZE = 24 };
/* Does a connection that sends these bytes first speak HTTP/2?  -1: more bytes are needed. */
int http_session_is_preface(Str in);
void http_session_open(HttpConn *c);
void http_session_free(HttpConn *c); /* without a session, nothing */
/* Bytes have come. */
void http_session_input(HttpConn *c, Str in);
/* Sends what there is, if nothing is on its way. */
void http_session_flush(HttpConn *c);
u64 http_session_deadline(const HttpConn *c);
/* Nothing moves any more. */
void http_session_expire(HttpConn *c);
bool http_session_is_idle(const HttpConn *c);
/* No more requests; the connection ends after those under way. */
void http_session_stop(HttpConn *c);
/* The connection is closed: so are its streams.  false: http_conn_closed comes once more. */
bool http_session_close(HttpConn *c);

/* Its streams (http_stream.c); of all these c->stream is set. */
void http_stream_read(HttpConn *c);
void http_stream_resume(HttpConn *c);
void http_stream_continue(HttpConn *c);
void http_stream_finish(HttpConn *c, Str trailer);
void http_stream_end(HttpConn *c);
void http_stream_close(HttpConn *c);
void http_stream_closed(HttpConn *c);
void http_stream_flush(HttpConn *c);
void http_stream_head(HttpConn *c, u32 status);
char *http_stream_lines(HttpConn *c, usize n);
void http_stream_lines_added(HttpConn *c, usize n);
void http_stream_head_end(HttpConn *c, i64 length);
HttpConn *http_stream_conn(const HttpConn *c);

/* A request begins, for all kinds of connections (http_conn.c). */
void http_conn_start_request(HttpConn *c, const HttpHead *h, Str head, HttpBodyKind kind);
void http_conn_body_data(HttpConn *c, Str data);
void http_conn_body_end(HttpConn *c);
void http_conn_abort(HttpConn *c, int rc);
/* A connection or stream of this server, not yet in use (http_server.c).  NULL: too many. */
HttpConn *http_server_take(HttpServer *s, int fd);
