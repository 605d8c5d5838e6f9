/* net/tls_verify.c -- is the peer who it should be? */
#include "net/net.h"
#include "net/tls_private.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

static long verdict(const TlsConn *c)
{
    if (SSL_get0_peer_certificate(c->ssl)) return SSL_get_verify_result(c->ssl);
    /* Pre-shared keys and resumed sessions need none. */
    const SSL_CIPHER *cipher = SSL_get_current_cipher(c->ssl);
    bool is_psk = cipher && SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk;
    bool is_resumed_13 = SSL_version(c->ssl) == TLS1_3_VERSION && SSL_session_reused(c->ssl);
    return is_psk || is_resumed_13 ? X509_V_OK : X509_V_ERR_UNSPECIFIED;
}

int tls_conn_verify(const TlsConn *c, TlsError *ret)
{
    long result = verdict(c);
    if (result == X509_V_OK) return 0;
    *ret = (TlsError){0};
    (void)snprintf(ret->code, sizeof(ret->code), "%s", tls_verify_code(result));
    (void)snprintf(ret->text, sizeof(ret->text), "%s", X509_verify_cert_error_string(result));
    return NET_ETLS;
}

static bool matches(X509 *cert, Str host)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysAddr addr;
    const char *name = str_dup_z(s.arena, host);
    if (sys_addr_parse(host, 0, &addr) == 0) return X509_check_ip_asc(cert, name, 0) == 1;
    /* The dot at the end of a full name is no part of it. */
    if (host.n > 1 && host.p[host.n - 1] == '.') host.n--;
    return X509_check_host(cert, name, host.n, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, NULL) == 1;
}

static bool has_alt_names(X509 *cert)
{
    return X509_get_ext_by_NID(cert, NID_subject_alt_name, -1) >= 0;
}

bool tls_check_host(struct x509_st *cert, Str host, TlsError *ret)
{
    if (host.n && !memchr(host.p, 0, host.n) && matches(cert, host)) return true;
    *ret = (TlsError){.code = "ERR_TLS_CERT_ALTNAME_INVALID"};
    SysAddr addr;
    const char *kind = sys_addr_parse(host, 0, &addr) == 0 ? "IP" : "Host";
    const char *where = has_alt_names(cert) ? "in the cert's altnames" : "the cert's CN";
    (void)snprintf(ret->text, sizeof(ret->text),
                   "Hostname/IP does not match certificate's altnames: %s: %.*s is not %s", kind,
                   (int)MIN(host.n, 160U), host.p, where);
    return false;
}

bool tls_alpn_push(Buf *list, Str protocol)
{
    if (!protocol.n || protocol.n > 255 || list->len + protocol.n >= TLS_ALPN_MAX) return false;
    return buf_push_char(list, (char)(u8)protocol.n) && buf_push(list, protocol);
}
