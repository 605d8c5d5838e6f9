/* net/net_test.h -- what the tests of net/ share: certificates made on the spot, and a pair of
 * programs that talk to each other over one loop. */
#pragma once

#include "net/net.h"
#include "net/tls.h"

#include "util/mem.h"
#include "util/test.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>

/* LOOP_TEST(name) { ... } uses `loop`, a new one that is freed afterwards, once for each back end.
 */
#define LOOP_TEST(id)                                                                              \
    static void net_loop_test_##id(Loop *loop);                                                    \
    TEST(id##_uring)                                                                               \
    {                                                                                              \
        test_with_loop("uring", net_loop_test_##id);                                               \
    }                                                                                              \
    TEST(id##_epoll)                                                                               \
    {                                                                                              \
        test_with_loop("epoll", net_loop_test_##id);                                               \
    }                                                                                              \
    static void net_loop_test_##id(Loop *loop)

#ifdef __SANITIZE_ADDRESS__
int __lsan_do_recoverable_leak_check(void);
#endif

static inline void test_with_loop(const char *io, void (*test)(Loop *loop))
{
    CHECK_INT(sys_env_set(S("COB_IO"), str_z(io)), 0);
    Loop *loop = loop_new();
    test(loop);
    loop_free(loop);
#ifdef __SANITIZE_ADDRESS__
    CHECK_INT(__lsan_do_recoverable_leak_check(), 0);
#endif
}

typedef struct {
    Str cert, key;
    X509 *x509;
    EVP_PKEY *pkey;
} TestCert;

static inline Str test_bio_text(BIO *bio)
{
    char *p;
    long n = BIO_get_mem_data(bio, &p);
    Str text = {mem_dup(p, (usize)n), (usize)n};
    BIO_free(bio);
    return text;
}

/* alt: "DNS:localhost,IP:127.0.0.1" or NULL; issuer NULL: signs itself. */
static inline TestCert test_cert_new(const char *name, const char *alt, bool is_ca,
                                     const TestCert *issuer)
{
    TestCert c = {.pkey = EVP_EC_gen("P-256"), .x509 = X509_new()};
    X509_set_version(c.x509, 2);
    static long serial = 1;
    ASN1_INTEGER_set(X509_get_serialNumber(c.x509), serial++);
    X509_gmtime_adj(X509_getm_notBefore(c.x509), -3600);
    X509_gmtime_adj(X509_getm_notAfter(c.x509), 3600);
    X509_NAME *subject = X509_get_subject_name(c.x509);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const u8 *)name, -1, -1, 0);
    X509_set_issuer_name(c.x509, issuer ? X509_get_subject_name(issuer->x509) : subject);
    X509_set_pubkey(c.x509, c.pkey);
    const char *values[] = {is_ca ? "critical,CA:TRUE" : "CA:FALSE", alt};
    int nids[] = {NID_basic_constraints, NID_subject_alt_name};
    for (u32 i = 0; i < 2; i++) {
        if (!values[i]) continue;
        X509_EXTENSION *ext = X509V3_EXT_conf_nid(NULL, NULL, nids[i], values[i]);
        X509_add_ext(c.x509, ext, -1);
        X509_EXTENSION_free(ext);
    }
    X509_sign(c.x509, issuer ? issuer->pkey : c.pkey, EVP_sha256());
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, c.x509);
    c.cert = test_bio_text(bio);
    bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, c.pkey, NULL, NULL, 0, NULL, NULL);
    c.key = test_bio_text(bio);
    return c;
}

static inline void test_cert_free(TestCert *c)
{
    mem_free((void *)(uintptr_t)c->cert.p);
    mem_free((void *)(uintptr_t)c->key.p);
    X509_free(c->x509);
    EVP_PKEY_free(c->pkey);
}

static inline TlsContext *test_context(const TestCert *cert, const TestCert *ca)
{
    TlsKeyPair pair = {0};
    Str ca_text = ca ? ca->cert : S("");
    TlsOptions o = {.pairs = &pair, .ca = &ca_text, .has_ca = true};
    if (cert) {
        pair = (TlsKeyPair){.cert = cert->cert, .key = cert->key};
        o.n_pairs = 1;
    }
    o.n_ca = ca != NULL;
    TlsError error;
    TlsContext *ctx = NULL;
    int rc = tls_context_new(&o, &error, &ctx);
    CHECK_INT(rc, 0);
    return ctx;
}

/* One end.  What comes is counted and added up; an echo sends it back. */
typedef struct TestEnd {
    NetStream stream;
    Buf got;
    u64 n_got;
    u32 n_open, n_secure, n_end, n_finish, n_drain, n_error, n_close, n_timeout;
    int rc;
    bool is_echo, ends_with_peer, closes_at_end, is_heap;
    u64 close_after; /* bytes */
    char code[sizeof(((TlsError *)0)->code)];
} TestEnd;

static inline TestEnd *test_end(NetStream *s)
{
    return CONTAINER(TestEnd, stream, s);
}

static inline void test_on_open(NetStream *s)
{
    test_end(s)->n_open++;
}

static inline void test_on_secure(NetStream *s)
{
    test_end(s)->n_secure++;
}

static inline void test_on_data(NetStream *s, char *p, u32 n)
{
    TestEnd *e = test_end(s);
    e->n_got += n;
    if (e->n_got <= 1 << 20) buf_push(&e->got, (Str){p, n});
    if (e->is_echo && !net_stream_write(s, p, n)) net_stream_stop(s);
    if (e->close_after && e->n_got >= e->close_after) net_stream_close(s);
}

static inline void test_on_drain(NetStream *s)
{
    test_end(s)->n_drain++;
    if (test_end(s)->is_echo) net_stream_start(s);
}

static inline void test_on_end(NetStream *s)
{
    TestEnd *e = test_end(s);
    e->n_end++;
    if (e->is_echo || e->ends_with_peer) net_stream_end(s);
    if (e->closes_at_end) net_stream_close(s);
}

static inline void test_on_finish(NetStream *s)
{
    TestEnd *e = test_end(s);
    e->n_finish++;
    if (e->n_end) net_stream_close(s);
}

static inline void test_on_timeout(NetStream *s)
{
    test_end(s)->n_timeout++;
    net_stream_close(s);
}

static inline void test_on_error(NetStream *s, int rc)
{
    TestEnd *e = test_end(s);
    e->n_error++;
    e->rc = rc;
    if (rc == NET_ETLS) memcpy(e->code, tls_conn_error(s->tls)->code, sizeof(e->code));
}

static inline void test_on_close(NetStream *s)
{
    TestEnd *e = test_end(s);
    e->n_close++;
    if (!e->is_heap) return;
    Buf_deinit(&e->got);
    mem_free(e);
}

static const NetEvents test_events = {
    .on_open = test_on_open,
    .on_secure = test_on_secure,
    .on_data = test_on_data,
    .on_drain = test_on_drain,
    .on_end = test_on_end,
    .on_finish = test_on_finish,
    .on_timeout = test_on_timeout,
    .on_error = test_on_error,
    .on_close = test_on_close,
};

/* A server whose connections echo; stops listening after `n_max` of them. */
typedef struct TestServer {
    NetListener listener;
    TlsConnOptions tls; /* ctx NULL: plain */
    u32 n, n_max, n_close;
    TestEnd *last;
} TestServer;

static inline void test_on_accept(NetListener *l, int fd)
{
    TestServer *server = CONTAINER(TestServer, listener, l);
    TestEnd *e = MEM_NEW(TestEnd);
    e->is_echo = e->is_heap = true;
    server->last = e;
    net_stream_init(l->loop, &e->stream, &test_events);
    net_stream_open(&e->stream, fd);
    if (server->tls.ctx) net_stream_start_tls(&e->stream, tls_conn_new(&server->tls), S(""));
    net_stream_start(&e->stream);
    if (++server->n == server->n_max) net_listener_close(l);
}

static inline void test_on_listener_close(NetListener *l)
{
    CONTAINER(TestServer, listener, l)->n_close++;
}

static inline u16 test_serve(Loop *loop, TestServer *server, const NetListenOptions *o, u32 n_max)
{
    server->n_max = n_max;
    server->listener.on_accept = test_on_accept;
    server->listener.on_close = test_on_listener_close;
    int rc = net_listen(loop, &server->listener, o);
    CHECK_INT(rc, 0);
    SysAddr addr = {0};
    if (rc == 0) (void)!sys_socket_name(server->listener.fd, &addr);
    return sys_addr_port(&addr);
}

static inline void test_dial(Loop *loop, TestEnd *e, const NetTarget *target)
{
    net_stream_init(loop, &e->stream, &test_events);
    net_stream_connect(&e->stream, target);
    net_stream_start(&e->stream);
}
