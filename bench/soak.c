/* bench/soak.c -- well-behaved and misbehaving clients of one server, for as long as one likes.
 *
 *     gcc -O2 -std=gnu17 -D_GNU_SOURCE -Isrc bench/soak.c src/util/bug.c -o build/soak
 *     PORT=3000 build/cob bench/soak_server.js & build/soak 3000 $! SECONDS REQUESTS [SEED]
 *
 * Half of the connections send requests of mixed kinds and sizes and compare every byte of the
 * answers; one that is wrong, cut off or late is lost.  The others abort, read slowly or not at
 * all, send garbage, broken chunks or too much.  It ends after SECONDS or REQUESTS, whichever comes
 * first (0: no such end), and prints the memory of the server (process PID) after a tenth of the
 * requests and at the end.  The exit code is 1 when a request was lost. */
#include "util/base.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    N_GOOD = 48,
    N_BAD = 24,
    OUT_MAX = 1200 * 1024,
    LATE_MS = 60 * 1000,
    BIG_SIZE = 64 * 1024,
    CHUNK_SIZE = 1000,
    TICK_MS = 2,
};

typedef enum {
    GET_HELLO,
    GET_JSON,
    GET_BIG,
    GET_STREAM,
    GET_LATER,
    POST_LENGTH,
    POST_CHUNKED
} Kind;
typedef enum {
    CUT_HEAD,
    CUT_BODY,
    UNREAD,
    GARBAGE,
    BAD_CHUNK,
    LONG_HEAD,
    SLOW,
    AT_ONCE,
    HALF_CLOSE,
    N_FAULTS
} Fault;
typedef enum { HEAD, LENGTH, CHUNK_LINE, CHUNK, CHUNK_END } State;

typedef struct {
    int fd;
    bool is_bad, wants_out;
    u32 kind; /* Kind or Fault */
    char *out;
    usize len, sent;
    /* The answer of a good one. */
    State state;
    char head[4096];
    usize head_len, left, at, size;
    u32 seed;
    u64 start_ms, next_ms;
    u32 reads_left;
} Conn;

static Conn conns[N_GOOD + N_BAD];
static int port, poll_fd;
static u64 n_good, n_bad, n_lost, random_state = 88172645463325252u;

static u64 now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

static u32 pick(u32 n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (u32)(random_state >> 20) % n;
}

static long resident_kb(int pid)
{
    char path[64], line[128];
    long pages = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *f = fopen(path, "r");
    if (f && fgets(line, sizeof line, f)) (void)sscanf(line, "%*s %ld", &pages);
    if (f) (void)fclose(f);
    return pages * 4;
}

static char body_byte(u32 seed, usize i)
{
    return (char)('a' + (seed + i) % 26);
}

/* ---- Requests ----------------------------------------------------------------------------------
 */

static void add(Conn *c, const char *text)
{
    usize n = strlen(text);
    ASSERT(c->len + n <= OUT_MAX);
    memcpy(c->out + c->len, text, n);
    c->len += n;
}

static void add_body(Conn *c, usize from, usize n)
{
    ASSERT(c->len + n <= OUT_MAX);
    for (usize i = 0; i < n; i++) c->out[c->len + i] = body_byte(c->seed, from + i);
    c->len += n;
}

static usize pick_size(void)
{
    if (pick(1000) == 0) return pick(1024 * 1024);
    return pick(20) == 0 ? pick(BIG_SIZE) : pick(2048);
}

static void add_post(Conn *c, bool is_chunked, usize size)
{
    char line[256];
    if (!is_chunked) {
        (void)snprintf(line, sizeof line,
                       "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %zu\r\n\r\n", size);
        add(c, line);
        add_body(c, 0, size);
        return;
    }
    add(c, "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (usize from = 0; from < size;) {
        usize most = (usize)pick(8192) + 1, n = MIN(size - from, most);
        (void)snprintf(line, sizeof line, "%zx\r\n", n);
        add(c, line);
        add_body(c, from, n);
        add(c, "\r\n");
        from += n;
    }
    add(c, "0\r\n\r\n");
}

static void start_good(Conn *c)
{
    static const char *const paths[] = {[GET_HELLO] = "/hello",
                                        [GET_JSON] = "/json",
                                        [GET_BIG] = "/big",
                                        [GET_STREAM] = "/stream",
                                        [GET_LATER] = "/later"};
    char line[256];
    u32 r = pick(100);
    c->kind = r < 40   ? GET_HELLO
              : r < 55 ? GET_JSON
              : r < 60 ? GET_BIG
              : r < 65 ? GET_STREAM
              : r < 68 ? GET_LATER
              : r < 88 ? POST_LENGTH
                       : POST_CHUNKED;
    c->len = c->sent = c->head_len = c->at = 0;
    c->state = HEAD;
    c->seed = pick(26);
    c->start_ms = now_ms();
    if (c->kind >= POST_LENGTH) {
        c->size = pick_size();
        add_post(c, c->kind == POST_CHUNKED, c->size);
        return;
    }
    u32 n_chunks = pick(8);
    c->size = c->kind == GET_BIG      ? BIG_SIZE
              : c->kind == GET_STREAM ? (usize)n_chunks * CHUNK_SIZE
                                      : 0;
    (void)snprintf(line, sizeof line, "GET %s?%u HTTP/1.1\r\nHost: a\r\nX-Seed: %u\r\n\r\n",
                   paths[c->kind], n_chunks, c->seed);
    add(c, line);
}

static void add_many(Conn *c, const char *request, u32 n)
{
    while (n--) add(c, request);
}

static void start_bad(Conn *c)
{
    static const char big[] = "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
    c->kind = pick(N_FAULTS);
    c->len = c->sent = 0;
    c->seed = 0;
    c->reads_left = c->kind == SLOW ? 50 : pick(4);
    c->next_ms = now_ms() + pick(c->kind == SLOW ? 10 : 60);
    switch ((Fault)c->kind) {
    case CUT_HEAD: add(c, "GET /hello HTTP/1.1\r\nHost: a\r\nX-Ha"); break;
    case CUT_BODY:
        add(c, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        add_body(c, 0, pick(100000));
        break;
    case UNREAD: add_many(c, big, 1 + pick(40)); break;
    case GARBAGE:
        for (u32 n = pick(3000); n; n--) c->out[c->len++] = (char)pick(256);
        break;
    case BAD_CHUNK:
        add(c,
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        add(c, pick(2) ? "zz\r\nx" : "-1\r\n");
        break;
    case LONG_HEAD:
        add(c, "GET /hello HTTP/1.1\r\nHost: a\r\n");
        add_many(c, "X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", 900);
        break;
    case SLOW: add_many(c, big, 10); break;
    case AT_ONCE: c->next_ms = now_ms(); break;
    case HALF_CLOSE: add(c, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"); break;
    case N_FAULTS: break;
    }
}

/* ---- Connections -------------------------------------------------------------------------------
 */

static void set_wanted(Conn *c, bool out)
{
    struct epoll_event e = {.events = EPOLLIN | (out ? (u32)EPOLLOUT : 0), .data.ptr = c};
    if (c->wants_out == out) return;
    c->wants_out = out;
    (void)epoll_ctl(poll_fd, EPOLL_CTL_MOD, c->fd, &e);
}

static void start(Conn *c)
{
    if (c->is_bad)
        start_bad(c);
    else
        start_good(c);
    set_wanted(c, true);
}

static void connect_again(Conn *c)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((u16)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&a, sizeof a) < 0) {
        perror("connect");
        exit(2);
    }
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    c->wants_out = false;
    (void)epoll_ctl(poll_fd, EPOLL_CTL_ADD, c->fd, &e);
    start(c);
}

static void drop(Conn *c, bool resets)
{
    struct linger linger = {.l_onoff = 1};
    if (resets) (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    (void)close(c->fd);
    connect_again(c);
}

static void lose(Conn *c, const char *why)
{
    n_lost++;
    if (n_lost < 20)
        (void)fprintf(stderr, "lost: kind %u, %zu of %zu bytes, %zu of %zu sent: %s; head %.*s\n",
                      c->kind, c->at, c->size, c->sent, c->len, why, (int)MIN(c->head_len, 60u),
                      c->head);
    drop(c, true);
}

static void write_out(Conn *c)
{
    while (c->sent < c->len) {
        ssize_t n = send(c->fd, c->out + c->sent, c->len - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) {
            set_wanted(c, true);
            return;
        }
        if (n < 0) {
            if (c->is_bad) c->sent = c->len;
            set_wanted(c, false);
            return;
        }
        c->sent += (usize)n;
    }
    set_wanted(c, false);
    if (c->is_bad && c->kind == HALF_CLOSE) (void)shutdown(c->fd, SHUT_WR);
}

/* ---- Answers -----------------------------------------------------------------------------------
 */

static bool check_body(Conn *c, const char *p, usize n)
{
    static const char hello[] = "Hello, World!",
                      json[] = "{\"message\":\"Hello\",\"list\":[1,2,3]}";
    for (usize i = 0; i < n; i++, c->at++) {
        char want = c->kind == GET_HELLO || c->kind == GET_LATER
                        ? hello[MIN(c->at, sizeof hello - 1)]
                    : c->kind == GET_JSON   ? json[MIN(c->at, sizeof json - 1)]
                    : c->kind == GET_BIG    ? 'x'
                    : c->kind == GET_STREAM ? 'y'
                                            : body_byte(c->seed, c->at);
        if (p[i] != want) return false;
    }
    return true;
}

static usize full_size(const Conn *c)
{
    return c->kind == GET_HELLO || c->kind == GET_LATER ? 13 : c->kind == GET_JSON ? 34 : c->size;
}

static bool start_body(Conn *c)
{
    c->head[c->head_len] = 0;
    if (strncmp(c->head, "HTTP/1.1 200 OK\r\n", 17) != 0) return false;
    const char *length = strcasestr(c->head, "\r\ncontent-length:");
    if (length) {
        c->left = strtoul(length + 17, NULL, 10);
        c->state = LENGTH;
        return true;
    }
    c->state = CHUNK_LINE;
    c->left = 0;
    return strcasestr(c->head, "\r\ntransfer-encoding: chunked") != NULL;
}

typedef enum { MORE, DONE, WRONG } Verdict;

static Verdict take_head(Conn *c, char byte)
{
    if (c->head_len + 1 >= sizeof c->head) return WRONG;
    c->head[c->head_len++] = byte;
    if (c->head_len < 4 || memcmp(c->head + c->head_len - 4, "\r\n\r\n", 4) != 0) return MORE;
    if (!start_body(c)) return WRONG;
    return c->state == LENGTH && !c->left ? DONE : MORE;
}

static Verdict take_data(Conn *c, const char *p, usize n)
{
    if (!check_body(c, p, n)) return WRONG;
    c->left -= n;
    if (c->left) return MORE;
    if (c->state == LENGTH) return DONE;
    c->state = CHUNK_END;
    c->left = 2;
    return MORE;
}

/* Behind a chunk, or (seed is UINT32_MAX) behind the last. */
static Verdict take_chunk_end(Conn *c, char byte)
{
    if (byte != '\r' && byte != '\n') return WRONG;
    if (--c->left) return MORE;
    c->state = CHUNK_LINE;
    return c->seed == UINT32_MAX ? DONE : MORE;
}

static Verdict take_chunk_line(Conn *c, char byte)
{
    static const char digits[] = "0123456789abcdef";
    if (byte == '\r') return MORE;
    if (byte != '\n') {
        const char *digit = byte ? strchr(digits, byte | 0x20) : NULL;
        if (!digit) return WRONG;
        c->left = c->left * 16 + (usize)(digit - digits);
        return MORE;
    }
    c->state = c->left ? CHUNK : CHUNK_END;
    if (c->state == CHUNK) return MORE;
    c->left = 2; /* the empty line behind the last chunk */
    c->seed = UINT32_MAX;
    return MORE;
}

/* One step of an answer; takes from the front of [*p, *p + *n). */
static Verdict step(Conn *c, const char **p, usize *n)
{
    const char *from = *p;
    bool is_data = c->state == LENGTH || c->state == CHUNK;
    usize len = is_data ? MIN(c->left, *n) : 1;
    *p += len;
    *n -= len;
    if (is_data) return take_data(c, from, len);
    if (c->state == HEAD) return take_head(c, *from);
    return c->state == CHUNK_END ? take_chunk_end(c, *from) : take_chunk_line(c, *from);
}

static void read_good(Conn *c)
{
    static char buf[1 << 17];
    ssize_t got = recv(c->fd, buf, sizeof buf, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
        lose(c, got ? strerror(errno) : "closed");
        return;
    }
    const char *p = buf;
    usize n = (usize)got;
    Verdict verdict = MORE;
    while (n && verdict == MORE) verdict = step(c, &p, &n);
    if (verdict == MORE) return;
    if (verdict == WRONG || n || c->at != full_size(c)) {
        lose(c, "wrong answer");
        return;
    }
    n_good++;
    if (pick(2000) == 0)
        drop(c, false);
    else
        start(c), write_out(c);
}

static void read_bad(Conn *c)
{
    char buf[1000];
    bool waits = c->kind == SLOW || c->kind == UNREAD;
    if (waits && now_ms() < c->next_ms) return;
    ssize_t got = recv(c->fd, buf, sizeof buf, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    c->next_ms = now_ms() + pick(10);
    if (got <= 0 || !c->reads_left--) {
        n_bad++;
        drop(c, pick(2));
    }
}

static void on_tick(u64 now)
{
    for (u32 i = 0; i < COUNT(conns); i++) {
        Conn *c = &conns[i];
        if (!c->is_bad) {
            if (now - c->start_ms > LATE_MS) lose(c, "late");
        } else if (now >= c->next_ms) {
            if (c->kind == SLOW && c->reads_left) {
                read_bad(c);
                continue;
            }
            n_bad++;
            drop(c, pick(2));
        }
    }
}

static void run(int pid, u64 seconds, u64 requests)
{
    struct epoll_event events[64];
    u64 from = now_ms(), tick = 0;
    long first_kb = 0;
    for (u64 now = from;;) {
        int n = epoll_wait(poll_fd, events, COUNT(events), TICK_MS);
        for (int i = 0; i < n; i++) {
            Conn *c = events[i].data.ptr;
            if (events[i].events & EPOLLOUT) write_out(c);
            if (!(events[i].events & ~(u32)EPOLLOUT)) continue;
            if (c->is_bad)
                read_bad(c);
            else
                read_good(c);
        }
        now = now_ms();
        if (now - tick < TICK_MS) continue;
        tick = now;
        on_tick(now);
        bool is_tenth = requests ? n_good >= requests / 10 : now - from >= seconds * 100;
        if (is_tenth && !first_kb) first_kb = resident_kb(pid);
        if ((requests && n_good >= requests) || (seconds && now - from >= seconds * 1000)) break;
    }
    printf(
        "%lu requests, %lu faults, %lu lost in %.1f s; resident after a tenth %ld KB, at the end "
        "%ld KB\n",
        n_good, n_bad, n_lost, (f64)(now_ms() - from) / 1000, first_kb, resident_kb(pid));
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        (void)fprintf(stderr, "usage: soak PORT PID SECONDS REQUESTS [SEED]\n");
        return 2;
    }
    port = atoi(argv[1]);
    if (argc > 5) random_state += strtoul(argv[5], NULL, 10) * 7919;
    poll_fd = epoll_create1(EPOLL_CLOEXEC);
    for (u32 i = 0; i < COUNT(conns); i++) {
        conns[i].is_bad = i >= N_GOOD;
        conns[i].out = malloc(OUT_MAX);
        connect_again(&conns[i]);
    }
    run(atoi(argv[2]), strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    return n_lost != 0;
}
