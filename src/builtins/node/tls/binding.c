/* node/tls/binding.c -- native half of node:tls: contexts, starting TLS on a connection, and what
 * was agreed on. */
#include "builtins/node/tls/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>

static void context_free(void *native)
{
    (void)tls_context_unref(native);
}

const JsClass tls_context_class = {.name = "SecureContext", .finalize = context_free};

/* ---- Contexts ------------------------------------------------------------------------------- */

typedef struct {
    Js *js;
    Arena *arena;
    JsVal from;
    bool is_bad;
} Reader;

static JsVal member(Reader *r, const char *name)
{
    JsVal v = r->is_bad ? JS_UNDEFINED : js_get(r->js, r->from, name);
    if (v) return v;
    r->is_bad = true;
    return JS_UNDEFINED;
}

static Str read_text(Reader *r, const char *name)
{
    Str text = {0};
    if (!sock_bytes(r->js, r->arena, member(r, name), &text)) r->is_bad = true;
    return text;
}

static f64 read_number(Reader *r, const char *name)
{
    JsVal v = member(r, name);
    return js_is_number(r->js, v) ? js_get_number(r->js, v) : 0;
}

/* The bytes stay: a copy, because later members may run JavaScript. */
static Str *read_list(Reader *r, const char *name, u32 *ret_n)
{
    JsVal list = member(r, name);
    u32 n = 0;
    *ret_n = 0;
    if (!js_is_array(r->js, list) || !js_array_len(r->js, list, &n) || !n) return NULL;
    Str *texts = ARENA_ARRAY(r->arena, Str, n);
    for (u32 i = 0; i < n && !r->is_bad; i++) {
        JsVal v = js_get_index(r->js, list, i);
        if (!v || !sock_bytes(r->js, r->arena, v, &texts[i])) r->is_bad = true;
        texts[i] = str_dup(r->arena, texts[i]);
    }
    *ret_n = n;
    return texts;
}

static void read_pairs(Reader *r, TlsOptions *o)
{
    u32 n_certs, n_keys, n_pass;
    Str *certs = read_list(r, "certs", &n_certs), *keys = read_list(r, "keys", &n_keys);
    Str *pass = read_list(r, "passphrases", &n_pass);
    u32 n = MAX(n_certs, n_keys);
    TlsKeyPair *pairs = ARENA_ARRAY(r->arena, TlsKeyPair, n ? n : 1);
    for (u32 i = 0; i < n; i++) {
        if (i < n_certs) pairs[i].cert = certs[i];
        if (i < n_keys) pairs[i].key = keys[i];
        pairs[i].has_passphrase = i < n_pass && pass[i].p;
        if (pairs[i].has_passphrase) pairs[i].passphrase = pass[i];
    }
    o->pairs = pairs;
    o->n_pairs = n;
}

static void read_pfx(Reader *r, TlsOptions *o)
{
    u32 n_pass;
    Str *texts = read_list(r, "pfx", &o->n_pfx), *pass = read_list(r, "pfxPassphrases", &n_pass);
    TlsKeyPair *pairs = ARENA_ARRAY(r->arena, TlsKeyPair, o->n_pfx ? o->n_pfx : 1);
    for (u32 i = 0; i < o->n_pfx; i++) {
        pairs[i].cert = texts[i];
        if (i < n_pass) pairs[i].passphrase = pass[i];
    }
    o->pfx = pairs;
}

static void read_options(Reader *r, TlsOptions *o)
{
    read_pairs(r, o);
    o->ca = read_list(r, "ca", &o->n_ca);
    o->has_ca = js_is_array(r->js, member(r, "ca"));
    o->crl = read_list(r, "crl", &o->n_crl);
    read_pfx(r, o);
    o->ciphers = read_text(r, "ciphers");
    o->groups = read_text(r, "ecdhCurve");
    o->sigalgs = read_text(r, "sigalgs");
    o->dhparam = str_dup(r->arena, read_text(r, "dhparam"));
    o->min_version = (u16)read_number(r, "minVersion");
    o->max_version = (u16)read_number(r, "maxVersion");
    o->ssl_options = (u64)read_number(r, "secureOptions");
    o->session_context = read_text(r, "sessionIdContext");
    o->ticket_keys = str_dup(r->arena, read_text(r, "ticketKeys"));
    o->session_timeout_s = (u32)read_number(r, "sessionTimeout");
    o->allow_partial_trust = read_number(r, "allowPartialTrustChain") != 0;
    o->has_sessions = true;
}

/* context(options) -> SecureContext; throws what OpenSSL does not like. */
JS_NATIVE(tls_make_context)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Reader r = {.js = js, .arena = s.arena, .from = js_arg(args, 0)};
    TlsOptions o = {0};
    read_options(&r, &o);
    if (r.is_bad) return NULL;
    TlsError error;
    TlsContext *ctx;
    if (tls_context_new(&o, &error, &ctx) == 0) return js_wrap(js, &tls_context_class, ctx);
    JsVal thrown = sock_tls_error(js, &error);
    return thrown ? js_throw(js, thrown) : NULL;
}

/* addCa(context, pem) */
JS_NATIVE(tls_add_ca)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    TlsContext *ctx = js_unwrap(js, js_arg(args, 0), &tls_context_class);
    Str pem;
    TlsError error;
    if (!sock_bytes(js, s.arena, js_arg(args, 1), &pem)) return NULL;
    if (!ctx || tls_context_add_ca(ctx, pem, &error) == 0) return JS_UNDEFINED;
    JsVal thrown = sock_tls_error(js, &error);
    return thrown ? js_throw(js, thrown) : NULL;
}

/* ---- Hooks ---------------------------------------------------------------------------------- */

enum { WANTS_SESSION = 1, WANTS_FIND = 2, WANTS_KEYLOG = 4, WANTS_ALPN = 8, WANTS_HELLO = 16 };

static TlsAnswer answer_of(Js *js, JsVal v)
{
    if (!v) return TLS_FAIL;
    return js_is_number(js, v) ? (TlsAnswer)js_get_i32(js, v) : TLS_GO_ON;
}

static TlsAnswer on_hello(TlsConn *c, Str name)
{
    Sock *s = tls_conn_data(c);
    Js *js = s->net->vm->js;
    if (!(s->tls_wants & WANTS_HELLO)) return TLS_GO_ON;
    return answer_of(js, sock_event(s, SOCK_EVENT_HELLO, js_str(js, name)));
}

static bool on_alpn(TlsConn *c, Str list, Str *ret)
{
    Sock *s = tls_conn_data(c);
    Js *js = s->net->vm->js;
    JsVal v = sock_event(s, SOCK_EVENT_ALPN, js_u8array(js, list.p, list.n));
    JsBytes picked;
    *ret = (Str){0};
    if (!v || js_is_undefined(v)) return false;
    if (!js_bytes(js, v, &picked) || picked.n > sizeof(s->alpn)) return true;
    memcpy(s->alpn, picked.p, picked.n);
    *ret = (Str){s->alpn, picked.n};
    return true;
}

static void on_session(TlsConn *c, Str id, Str der)
{
    Sock *s = tls_conn_data(c);
    Js *js = s->net->vm->js;
    if (!(s->tls_wants & WANTS_SESSION)) return;
    JsVal pair[] = {js_u8array(js, id.p, id.n), js_u8array(js, der.p, der.n)};
    (void)sock_event(s, SOCK_EVENT_SESSION, js_array(js, pair, 2));
}

static TlsAnswer on_find_session(TlsConn *c, Str id)
{
    Sock *s = tls_conn_data(c);
    Js *js = s->net->vm->js;
    if (!(s->tls_wants & WANTS_FIND)) return TLS_GO_ON;
    return answer_of(js, sock_event(s, SOCK_EVENT_FIND_SESSION, js_u8array(js, id.p, id.n)));
}

static void on_keylog(TlsConn *c, Str line)
{
    Sock *s = tls_conn_data(c);
    Js *js = s->net->vm->js;
    if (s->tls_wants & WANTS_KEYLOG)
        (void)sock_event(s, SOCK_EVENT_KEYLOG, js_u8array(js, line.p, line.n));
}

static const TlsHooks hooks = {
    .on_hello = on_hello,
    .on_session = on_session,
    .on_find_session = on_find_session,
    .on_keylog = on_keylog,
};
static const TlsHooks hooks_alpn = {
    .on_hello = on_hello,
    .on_alpn = on_alpn,
    .on_session = on_session,
    .on_find_session = on_find_session,
    .on_keylog = on_keylog,
};

/* ---- Connections ---------------------------------------------------------------------------- */

static Sock *find(Js *js, JsArgs args)
{
    Sock *s = sock_find(js, args);
    return s && !s->listener && s->stream.tls ? s : NULL;
}

/* start(id, context, { isServer, servername, requestCert, alpn, session, wants, head }); head:
 * bytes that were received before. */
JS_NATIVE(tls_begin)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Sock *s = sock_find(js, args);
    TlsContext *ctx = js_unwrap(js, js_arg(args, 1), &tls_context_class);
    if (!s || s->listener || s->stream.tls || !ctx) return JS_FALSE;
    Reader r = {.js = js, .arena = scratch.arena, .from = js_arg(args, 2)};
    TlsConnOptions o = {.ctx = ctx, .data = s};
    o.is_server = read_number(&r, "isServer") != 0;
    o.request_cert = read_number(&r, "requestCert") != 0;
    o.servername = read_text(&r, "servername");
    o.alpn = str_dup(scratch.arena, read_text(&r, "alpn"));
    o.session = str_dup(scratch.arena, read_text(&r, "session"));
    Str head = str_dup(scratch.arena, read_text(&r, "head"));
    s->tls_wants = (u32)read_number(&r, "wants");
    if (r.is_bad) return NULL;
    o.hooks = s->tls_wants & WANTS_ALPN ? &hooks_alpn : &hooks;
    s->n_inside++;
    net_stream_start_tls(&s->stream, tls_conn_new(&o), head);
    s->n_inside--;
    return JS_TRUE;
}

/* resume(id, answer[, context | session]): a hook said TLS_WAIT. */
JS_NATIVE(tls_go_on)
{
    Sock *s = find(js, args);
    if (!s) return JS_UNDEFINED;
    TlsConn *c = s->stream.tls;
    TlsContext *ctx = js_unwrap(js, js_arg(args, 2), &tls_context_class);
    JsBytes session;
    if (ctx) tls_conn_set_context(c, ctx);
    if (!ctx && js_bytes(js, js_arg(args, 2), &session))
        tls_conn_set_found_session(c, (Str){(const char *)session.p, session.n});
    tls_conn_resume(c, (TlsAnswer)js_get_i32(js, js_arg(args, 1)));
    s->n_inside++;
    net_stream_resume_tls(&s->stream);
    s->n_inside--;
    return JS_UNDEFINED;
}

/* null, or the Error that says why the peer is not trusted. */
JS_NATIVE(tls_verify_error)
{
    Sock *s = find(js, args);
    TlsError error;
    if (!s || tls_conn_verify(s->stream.tls, &error) == 0) return JS_NULL;
    return sock_tls_error(js, &error);
}

static JsVal certs(Js *js, X509 *leaf, STACK_OF(X509) * others)
{
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    JsVal v = leaf ? tls_cert_object(js, leaf) : JS_UNDEFINED;
    if (!v || (leaf && !js_set_index(js, list, n++, v))) return NULL;
    for (int i = 0; i < sk_X509_num(others); i++) {
        X509 *cert = sk_X509_value(others, i);
        if (leaf && X509_cmp(cert, leaf) == 0) continue;
        v = tls_cert_object(js, cert);
        if (!v || !js_set_index(js, list, n++, v)) return NULL;
    }
    return list;
}

/* peer(id, isDetailed) -> certificates from the leaf upwards, perhaps none. */
JS_NATIVE(tls_peer)
{
    Sock *s = find(js, args);
    if (!s) return js_array(js, NULL, 0);
    SSL *ssl = tls_conn_ssl(s->stream.tls);
    STACK_OF(X509) *chain = NULL;
    if (js_truthy(js, js_arg(args, 1))) {
        chain = SSL_get0_verified_chain(ssl);
        if (!chain) chain = SSL_get_peer_cert_chain(ssl);
    }
    return certs(js, SSL_get0_peer_certificate(ssl), chain);
}

JS_NATIVE(tls_own)
{
    Sock *s = find(js, args);
    X509 *cert = s ? SSL_get_certificate(tls_conn_ssl(s->stream.tls)) : NULL;
    return cert ? tls_cert_object(js, cert) : JS_NULL;
}

/* info(id) -> [protocol, cipher name, standard name, version, alpn, servername, isReused]. */
JS_NATIVE(tls_info)
{
    Sock *s = find(js, args);
    if (!s) return JS_NULL;
    SSL *ssl = tls_conn_ssl(s->stream.tls);
    const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);
    JsVal at[] = {
        js_str(js, str_z(SSL_get_version(ssl))),
        cipher ? js_str(js, str_z(SSL_CIPHER_get_name(cipher))) : JS_NULL,
        cipher ? js_str(js, str_z(SSL_CIPHER_standard_name(cipher))) : JS_NULL,
        cipher ? js_str(js, str_z(SSL_CIPHER_get_version(cipher))) : JS_NULL,
        js_str(js, tls_conn_alpn(s->stream.tls)),
        js_str(js, tls_conn_servername(s->stream.tls)),
        js_boolean(tls_conn_is_resumed(s->stream.tls)),
    };
    return js_array(js, at, COUNT(at));
}

/* session(id) -> DER or undefined. */
JS_NATIVE(tls_session)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Sock *s = find(js, args);
    SSL_SESSION *session = s ? SSL_get_session(tls_conn_ssl(s->stream.tls)) : NULL;
    int n = session ? i2d_SSL_SESSION(session, NULL) : 0;
    if (n <= 0) return JS_UNDEFINED;
    u8 *der = arena_alloc(scratch.arena, (usize)n, 1), *p = der;
    (void)i2d_SSL_SESSION(session, &p);
    return js_u8array(js, der, (usize)n);
}

/* ticket(id): of the session, or undefined. */
JS_NATIVE(tls_ticket)
{
    Sock *s = find(js, args);
    SSL_SESSION *session = s ? SSL_get_session(tls_conn_ssl(s->stream.tls)) : NULL;
    if (!session) return JS_UNDEFINED;
    const u8 *p;
    usize n;
    SSL_SESSION_get0_ticket(session, &p, &n);
    return p ? js_u8array(js, p, n) : JS_UNDEFINED;
}

/* finished(id, ofPeer) -> bytes or undefined. */
JS_NATIVE(tls_finished)
{
    Sock *s = find(js, args);
    u8 bytes[EVP_MAX_MD_SIZE];
    if (!s) return JS_UNDEFINED;
    SSL *ssl = tls_conn_ssl(s->stream.tls);
    usize n = js_truthy(js, js_arg(args, 1)) ? SSL_get_peer_finished(ssl, bytes, sizeof(bytes))
                                             : SSL_get_finished(ssl, bytes, sizeof(bytes));
    return n ? js_u8array(js, bytes, MIN(n, sizeof(bytes))) : JS_UNDEFINED;
}

/* exportKeys(id, length, label, context | undefined) -> bytes or undefined. */
JS_NATIVE(tls_export_keys)
{
    enum { EXPORT_MAX = 1 << 20 };
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Sock *s = find(js, args);
    Str label, context = {0};
    f64 length = js_get_number(js, js_arg(args, 1));
    if (!s || length <= 0 || length > EXPORT_MAX) return JS_UNDEFINED;
    bool has_context = !js_is_undefined(js_arg(args, 3));
    if (!js_to_str(js, scratch.arena, js_arg(args, 2), &label)) return NULL;
    if (has_context && !sock_bytes(js, scratch.arena, js_arg(args, 3), &context)) return NULL;
    u8 *out = arena_alloc(scratch.arena, (usize)length, 1);
    int rc = SSL_export_keying_material(tls_conn_ssl(s->stream.tls), out, (usize)length, label.p,
                                        label.n, (const u8 *)context.p, context.n, has_context);
    return rc == 1 ? js_u8array(js, out, (usize)length) : JS_UNDEFINED;
}

/* ephemeral(id) -> [type, name | undefined, bits] or undefined. */
JS_NATIVE(tls_ephemeral)
{
    Sock *s = find(js, args);
    EVP_PKEY *key = NULL;
    if (!s || !SSL_get_peer_tmp_key(tls_conn_ssl(s->stream.tls), &key)) return JS_UNDEFINED;
    int id = EVP_PKEY_get_id(key);
    char group[80] = "";
    (void)EVP_PKEY_get_group_name(key, group, sizeof(group), NULL);
    bool is_dh = id == EVP_PKEY_DH;
    JsVal name = JS_UNDEFINED;
    if (!is_dh) name = js_str(js, str_z(id == EVP_PKEY_EC ? group : OBJ_nid2sn(id)));
    JsVal at[] = {js_str(js, is_dh ? S("DH") : S("ECDH")), name,
                  js_int(js, EVP_PKEY_get_bits(key))};
    EVP_PKEY_free(key);
    return js_array(js, at, COUNT(at));
}

/* All cipher suites, TLS 1.3's too, as names. */
JS_NATIVE(tls_ciphers)
{
    tls_init();
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    if (!ctx) bug_oom(sizeof(void *));
    SSL_CTX_set_security_level(ctx, 0);
    (void)SSL_CTX_set_cipher_list(ctx, "ALL:COMPLEMENTOFALL:!eNULL");
    STACK_OF(SSL_CIPHER) *list = SSL_CTX_get_ciphers(ctx);
    JsVal names = js_array(js, NULL, 0);
    for (int i = 0; i < sk_SSL_CIPHER_num(list) && names; i++) {
        const char *name = SSL_CIPHER_get_name(sk_SSL_CIPHER_value(list, i));
        if (!js_set_index(js, names, (u32)i, js_str(js, str_z(name)))) names = NULL;
    }
    SSL_CTX_free(ctx);
    ERR_clear_error();
    return names;
}

/* pair() -> two connected descriptors: TLS over a stream that is no socket. */
JS_NATIVE(tls_pair)
{
    int fds[2];
    int rc = sys_socketpair(true, fds);
    if (rc < 0) return js_throw_sys(js, rc, "socketpair", S(""));
    return js_array(js, JS_ARGS(js_int(js, fds[0]), js_int(js, fds[1])).at, 2);
}

JS_NATIVE(tls_default_cipher_list)
{
    return js_str(js, str_z(tls_default_ciphers));
}

static const JsFn fns[] = {
    JS_FN("context", tls_make_context),
    JS_FN("addCa", tls_add_ca),
    JS_FN("start", tls_begin),
    JS_FN("resume", tls_go_on),
    JS_FN("verifyError", tls_verify_error),
    JS_FN("peer", tls_peer),
    JS_FN("own", tls_own),
    JS_FN("info", tls_info),
    JS_FN("session", tls_session),
    JS_FN("ticket", tls_ticket),
    JS_FN("finished", tls_finished),
    JS_FN("exportKeys", tls_export_keys),
    JS_FN("ephemeral", tls_ephemeral),
    JS_FN("ciphers", tls_ciphers),
    JS_FN("pair", tls_pair),
    JS_FN("defaultCiphers", tls_default_cipher_list),
};
BUILTIN_NATIVE(node_tls_binding, fns)
