/* http/http_file.c -- bodies that are parts of files.
 *
 * Small ones are sent at once: without a copy when that pays, else read into the buffer of the
 * head. Of larger ones a piece is read while the one before it is on its way, so that the memory
 * for a transfer is two pieces, whatever the client does. */
#include "http/http_private.h"
#include "util/mem.h"

#include <string.h>

enum {
    PIECE = 256 * 1024,
    SMALL = 64 * 1024, /* these are read without waiting: they are nearly always in memory */
};

struct HttpFile {
    HttpConn *c;
    LoopReq read;
    Buf piece;
    int fd;
    u64 off, left;
    bool is_reading;
};

static void free_file(HttpFile *f)
{
    HttpServer *s = f->c->server;
    (void)loop_fd_close(s->loop, f->fd);
    Buf_deinit(&f->piece);
    mem_free(f);
}

static void on_read(LoopReq *req, i64 n)
{
    HttpFile *f = CONTAINER(HttpFile, read, req);
    HttpConn *c = f->c;
    f->is_reading = false;
    if (c->state == HTTP_CONN_CLOSED) {
        free_file(f);
        c->file = NULL;
        http_conn_closed(c);
        return;
    }
    /* It has become shorter than was promised: the client must see that. */
    if (n <= 0) {
        http_conn_close(c);
        return;
    }
    f->piece.len = (usize)n;
    f->off += (u64)n;
    f->left -= (u64)n;
    if (!c->is_sending) http_file_next(c);
}

static void start_read(HttpFile *f)
{
    if (!f->left) return;
    u32 n = (u32)MIN(f->left, (u64)PIECE);
    buf_clear(&f->piece);
    f->is_reading = true;
    f->read.on_done = on_read;
    loop_req_pread(f->c->server->loop, &f->read, f->fd, buf_reserve(&f->piece, n), n, f->off);
}

/* Nothing is under way: the next piece goes out, if it is there. */
void http_file_next(HttpConn *c)
{
    HttpFile *f = c->file;
    if (f->is_reading) return;
    if (f->piece.len) {
        /* `out` is empty but for what belongs in front of the piece. */
        if (c->out.len) {
            buf_push(&c->out, buf_str(&f->piece));
            buf_clear(&f->piece);
        } else {
            http_buf_give(c->server, &c->out);
            c->out = TAKE(f->piece);
        }
        start_read(f);
        http_conn_flush(c);
        return;
    }
    ASSERT(!f->left);
    free_file(f);
    c->file = NULL;
    http_conn_finish(c, (Str){0});
}

bool http_file_stop(HttpConn *c)
{
    HttpFile *f = c->file;
    if (!f) return true;
    if (f->is_reading) {
        loop_req_cancel(&f->read);
        return false;
    }
    free_file(f);
    c->file = NULL;
    return true;
}

static void send_small(HttpConn *c, int fd, u64 off, usize len)
{
    bool is_worth_it = len >= NET_PAGES_MIN && http_conn_may_send(c);
    usize sent = is_worth_it ? http_conn_send_pages(c, fd, off, len) : 0, left = len - sent;
    i64 n = left ? sys_pread(fd, http_conn_reserve(c, left), left, off + sent) : 0;
    (void)loop_fd_close(c->server->loop, fd);
    if (n != (i64)left) {
        http_conn_close(c);
        return;
    }
    c->out.len += left;
    http_conn_finish(c, (Str){0});
}

void http_conn_send_file(HttpConn *c, int fd, u64 off, u64 len)
{
    HttpServer *s = c->server;
    if (c->has_no_body || !len) {
        (void)loop_fd_close(s->loop, fd);
        http_conn_finish(c, (Str){0});
        return;
    }
    if (len <= SMALL) {
        send_small(c, fd, off, (usize)len);
        return;
    }
    HttpFile *f = MEM_NEW(HttpFile);
    *f = (HttpFile){.c = c, .fd = fd, .off = off, .left = len};
    c->file = f;
    start_read(f);
}
