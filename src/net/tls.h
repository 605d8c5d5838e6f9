/* net/tls.h -- TLS (OpenSSL) as a machine that turns bytes into bytes: no descriptor, no loop.
 *
 * A TlsContext holds certificates and rules and is shared by connections (counted).  A TlsConn is
 * one connection: encrypted bytes are fed to it and taken from tls_conn_output; plaintext is read
 * and written.  A NetStream does that by itself (net_stream_start_tls).
 *
 * Nothing of OpenSSL runs before the first function here is called.  The certificates of the system
 * are looked up one by one in a directory of hashed names (SSL_CERT_DIR, else /etc/ssl/certs) when
 * they are needed; SSL_CERT_FILE names a file instead, NODE_EXTRA_CA_CERTS one to add. */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

/* OpenSSL's SSL, SSL_CTX, X509 and X509_STORE, for those who include its headers. */
struct ssl_st;
struct ssl_ctx_st;
struct x509_st;
struct x509_store_st;

typedef struct TlsContext TlsContext;
typedef struct TlsConn TlsConn;

enum {
    TLS_V1_0 = 0x0301,
    TLS_V1_1 = 0x0302,
    TLS_V1_2 = 0x0303,
    TLS_V1_3 = 0x0304,
    TLS_ALPN_MAX = 1024,    /* bytes of a list of protocols */
    TLS_KEPT_MAX = 1 << 24, /* encrypted bytes that wait to be decrypted; then the stream fails */
};

/* Why something failed, in Node's words. */
typedef struct TlsError {
    char code[224];   /* "ERR_SSL_WRONG_VERSION_NUMBER", "DEPTH_ZERO_SELF_SIGNED_CERT", ... */
    char text[320];   /* one line */
    char library[64]; /* "SSL routines"; empty for certificates that are not trusted */
    char reason[128];
    u64 number; /* OpenSSL's; 0 for others */
} TlsError;

/* ---- Contexts ------------------------------------------------------------------------------- */

/* PEM: a certificate and those above it; its key (which may be in another pair's text). */
typedef struct TlsKeyPair {
    Str cert, key, passphrase;
    bool has_passphrase;
} TlsKeyPair;

typedef struct TlsOptions {
    bool is_server;
    const TlsKeyPair *pairs;
    u32 n_pairs;
    const TlsKeyPair *pfx; /* `cert` is PKCS #12: certificate, key, authorities */
    u32 n_pfx;
    /* PEM of the authorities to trust instead of the system's.  An empty list with has_ca: none. */
    const Str *ca;
    u32 n_ca;
    bool has_ca;
    const Str *crl;
    u32 n_crl;
    Str ciphers;                  /* names of both kinds, with colons; empty: Node's default */
    Str groups, sigalgs, dhparam; /* dhparam: PEM, or "auto" */
    u16 min_version, max_version; /* 0: TLS_V1_2, TLS_V1_3 */
    u64 ssl_options;              /* SSL_OP_x to add */
    Str session_context;
    Str ticket_keys;       /* 48 bytes, or empty */
    u32 session_timeout_s; /* 0: OpenSSL's */
    bool has_sessions;     /* on_session and on_find_session of the hooks are called */
    bool allow_partial_trust;
} TlsOptions;

/* Never fails in parts: 0 and a context, or NET_ETLS and the reason. */
NODISCARD int tls_context_new(const TlsOptions *o, TlsError *ret_error, TlsContext **ret);
/* One more text of authorities to trust; before the first connection. */
NODISCARD int tls_context_add_ca(TlsContext *ctx, Str pem, TlsError *ret_error);
TlsContext *tls_context_ref(TlsContext *ctx);
TlsContext *tls_context_unref(TlsContext *ctx); /* NULL is fine; returns NULL */
/* What a client uses that has no wishes: one for the process, borrowed. */
TlsContext *tls_context_default(void);
/* Server: connections that ask for `name` ("a.example", "*.example") get `other`, which is kept. */
void tls_context_add_name(TlsContext *ctx, Str name, TlsContext *other);
struct ssl_ctx_st *tls_context_ssl(TlsContext *ctx);
extern const char tls_default_ciphers[];

/* ---- Connections ---------------------------------------------------------------------------- */

typedef enum { TLS_FAIL = -1, TLS_WAIT = 0, TLS_GO_ON = 1 } TlsAnswer;

/* Every member may be NULL. */
typedef struct TlsHooks {
    /* Server: which names the client asks for is known.  tls_conn_set_context may be called.
     * TLS_WAIT: the handshake stops until tls_conn_resume. */
    TlsAnswer (*on_hello)(TlsConn *c, Str servername);
    /* Server: picks from the client's list (wire form): true and a part of it, or false: fails. */
    bool (*on_alpn)(TlsConn *c, Str list, Str *ret);
    /* There is a session to remember (DER). */
    void (*on_session)(TlsConn *c, Str id, Str der);
    /* Server, TLS 1.2: looks for a session.  TLS_WAIT as above; then tls_conn_set_found_session. */
    TlsAnswer (*on_find_session)(TlsConn *c, Str id);
    /* A line for SSLKEYLOGFILE, with its line feed. */
    void (*on_keylog)(TlsConn *c, Str line);
} TlsHooks;

typedef struct TlsConnOptions {
    TlsContext *ctx;
    bool is_server;
    /* Client: the name to ask for (SNI), unless it is empty or an address. */
    Str servername;
    /* Fails the handshake unless the certificate is trusted, and, if verify_host is not empty, made
     * out for it.  Server: unless the client has a trusted certificate. */
    bool verify;
    Str verify_host;
    bool request_cert; /* Server: asks the client for a certificate */
    Str alpn;          /* protocols in wire form (tls_alpn_push); server: first match is taken */
    Str session;       /* client: DER of one to resume, or empty */
    const TlsHooks *hooks;
    void *data;
} TlsConnOptions;

/* Keeps the context. */
TlsConn *tls_conn_new(const TlsConnOptions *o);
void tls_conn_free(TlsConn *c); /* NULL is fine */
void *tls_conn_data(const TlsConn *c);
void tls_conn_set_data(TlsConn *c, void *data);
void tls_conn_set_hooks(TlsConn *c, const TlsHooks *hooks);
struct ssl_st *tls_conn_ssl(TlsConn *c);
TlsConn *tls_conn_of(const struct ssl_st *ssl);
TlsContext *tls_conn_context(TlsConn *c); /* the first one */
void tls_conn_set_context(TlsConn *c, TlsContext *ctx);
/* Takes the answer of a hook that said TLS_WAIT; then call tls_conn_handshake again. */
void tls_conn_resume(TlsConn *c, TlsAnswer answer);
void tls_conn_set_found_session(TlsConn *c, Str der); /* empty: none */
bool tls_conn_is_waiting(const TlsConn *c);
/* OpenSSL keeps its two buffers of 17 KB between records, instead of allocating them for each. */
void tls_conn_keep_buffers(TlsConn *c);
/* A hook has said TLS_FAIL: the peer is not told why. */
bool tls_conn_is_refused(const TlsConn *c);

/* Encrypted bytes that came in; borrowed until tls_conn_keep_input or until they are read. */
void tls_conn_feed(TlsConn *c, const char *p, u32 n);
/* Copies what of the input is not read yet. */
void tls_conn_keep_input(TlsConn *c);
/* Encrypted bytes to send.  The caller takes them out. */
Buf *tls_conn_output(TlsConn *c);
/* 1: done; 0: needs input (or waits for a hook); NET_ETLS. */
NODISCARD int tls_conn_handshake(TlsConn *c);
bool tls_conn_is_done(const TlsConn *c);
/* Bytes; 0: the peer has ended (close_notify); -EAGAIN: needs input; NET_ETLS. */
NODISCARD i64 tls_conn_read(TlsConn *c, void *buf, u32 len);
/* Bytes taken, perhaps fewer; -EAGAIN: needs input first; NET_ETLS. */
NODISCARD i64 tls_conn_write(TlsConn *c, const void *p, u32 len);
/* Puts close_notify into the output, once. */
void tls_conn_shutdown(TlsConn *c);
/* After NET_ETLS. */
const TlsError *tls_conn_error(const TlsConn *c);

/* What was agreed on, after the handshake. */
Str tls_conn_alpn(const TlsConn *c);       /* empty: none */
Str tls_conn_servername(const TlsConn *c); /* what the client has asked for */
bool tls_conn_is_resumed(const TlsConn *c);
/* Whether the peer's certificate is trusted: 0, or NET_ETLS with the reason. */
NODISCARD int tls_conn_verify(const TlsConn *c, TlsError *ret);

/* ---- Pieces --------------------------------------------------------------------------------- */

/* Appends a protocol ("h2") to a list in wire form; false when it is empty or too long. */
bool tls_alpn_push(Buf *list, Str protocol);
/* Is the certificate made out for the host (name or address)?  RFC 6125. */
bool tls_check_host(struct x509_st *cert, Str host, TlsError *ret);
/* "CERT_HAS_EXPIRED" of a number X509_V_x; "OK" of 0. */
const char *tls_verify_code(long result);
/* The oldest error of OpenSSL's queue, which is emptied. */
void tls_error_take(TlsError *ret);
/* The process-wide part: once, also from several threads. */
void tls_init(void);
/* The authorities of the system, for the life of the process. */
struct x509_store_st *tls_store_shared(void);
