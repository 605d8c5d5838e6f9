/* http/http_private.h -- what the files of the server tell each other. */
#pragma once

#include "http/http_server.h"
#include "net/net.h"

/* Takes and gives back buffers that stay warm (http_server.c). */
Buf http_buf_take(HttpServer *s);
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
