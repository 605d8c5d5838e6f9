/* net/tls_error.c -- OpenSSL's errors in Node's words. */
#include "net/net_private.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <stdio.h>
#include <string.h>

/* Parts of the codes, as Node names the libraries. */
static const struct {
    int lib;
    const char *name;
} libraries[] = {
    {ERR_LIB_SYS, "SYS_"},       {ERR_LIB_BN, "BN_"},         {ERR_LIB_RSA, "RSA_"},
    {ERR_LIB_DH, "DH_"},         {ERR_LIB_EVP, "EVP_"},       {ERR_LIB_BUF, "BUF_"},
    {ERR_LIB_OBJ, "OBJ_"},       {ERR_LIB_PEM, "PEM_"},       {ERR_LIB_DSA, "DSA_"},
    {ERR_LIB_X509, "X509_"},     {ERR_LIB_ASN1, "ASN1_"},     {ERR_LIB_CONF, "CONF_"},
    {ERR_LIB_CRYPTO, "CRYPTO_"}, {ERR_LIB_EC, "EC_"},         {ERR_LIB_BIO, "BIO_"},
    {ERR_LIB_PKCS7, "PKCS7_"},   {ERR_LIB_X509V3, "X509V3_"}, {ERR_LIB_PKCS12, "PKCS12_"},
    {ERR_LIB_RAND, "RAND_"},     {ERR_LIB_DSO, "DSO_"},       {ERR_LIB_ENGINE, "ENGINE_"},
    {ERR_LIB_OCSP, "OCSP_"},     {ERR_LIB_UI, "UI_"},         {ERR_LIB_COMP, "COMP_"},
    {ERR_LIB_ECDSA, "ECDSA_"},   {ERR_LIB_ECDH, "ECDH_"},     {ERR_LIB_FIPS, "FIPS_"},
    {ERR_LIB_CMS, "CMS_"},       {ERR_LIB_TS, "TS_"},         {ERR_LIB_HMAC, "HMAC_"},
    {ERR_LIB_CT, "CT_"},         {ERR_LIB_ASYNC, "ASYNC_"},   {ERR_LIB_KDF, "KDF_"},
};

static const char *library_part(unsigned long err)
{
    for (usize i = 0; i < COUNT(libraries); i++) {
        if (libraries[i].lib == ERR_GET_LIB(err)) return libraries[i].name;
    }
    return "";
}

static void copy_text(char *dst, usize size, const char *src)
{
    (void)snprintf(dst, size, "%s", src ? src : "");
}

void tls_error_take(TlsError *ret)
{
    unsigned long err = ERR_get_error();
    *ret = (TlsError){.number = err};
    ERR_clear_error();
    if (!err) {
        copy_text(ret->code, sizeof(ret->code), "ERR_SSL_UNKNOWN");
        copy_text(ret->text, sizeof(ret->text), "unknown TLS error");
        return;
    }
    copy_text(ret->library, sizeof(ret->library), ERR_lib_error_string(err));
    copy_text(ret->reason, sizeof(ret->reason), ERR_reason_error_string(err));
    ERR_error_string_n(err, ret->text, sizeof(ret->text));
    bool is_ssl = ERR_GET_LIB(err) == ERR_LIB_SSL;
    const char *part = is_ssl ? "SSL_" : "OSSL_";
    (void)snprintf(ret->code, sizeof(ret->code), "ERR_%s%s%s", part,
                   is_ssl ? "" : library_part(err), ret->reason);
    for (char *c = ret->code; *c; c++) {
        if (*c == ' ' || *c == '-') *c = '_';
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    }
}

#define X509_CODES(X)                                                                              \
    X(UNABLE_TO_GET_ISSUER_CERT)                                                                   \
    X(UNABLE_TO_GET_CRL)                                                                           \
    X(UNABLE_TO_DECRYPT_CERT_SIGNATURE)                                                            \
    X(UNABLE_TO_DECRYPT_CRL_SIGNATURE)                                                             \
    X(UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY)                                                          \
    X(CERT_SIGNATURE_FAILURE)                                                                      \
    X(CRL_SIGNATURE_FAILURE)                                                                       \
    X(CERT_NOT_YET_VALID)                                                                          \
    X(CERT_HAS_EXPIRED)                                                                            \
    X(CRL_NOT_YET_VALID)                                                                           \
    X(CRL_HAS_EXPIRED)                                                                             \
    X(ERROR_IN_CERT_NOT_BEFORE_FIELD)                                                              \
    X(ERROR_IN_CERT_NOT_AFTER_FIELD)                                                               \
    X(ERROR_IN_CRL_LAST_UPDATE_FIELD)                                                              \
    X(ERROR_IN_CRL_NEXT_UPDATE_FIELD)                                                              \
    X(OUT_OF_MEM)                                                                                  \
    X(DEPTH_ZERO_SELF_SIGNED_CERT)                                                                 \
    X(SELF_SIGNED_CERT_IN_CHAIN)                                                                   \
    X(UNABLE_TO_GET_ISSUER_CERT_LOCALLY)                                                           \
    X(UNABLE_TO_VERIFY_LEAF_SIGNATURE)                                                             \
    X(CERT_CHAIN_TOO_LONG)                                                                         \
    X(CERT_REVOKED)                                                                                \
    X(INVALID_CA)                                                                                  \
    X(PATH_LENGTH_EXCEEDED)                                                                        \
    X(INVALID_PURPOSE)                                                                             \
    X(CERT_UNTRUSTED)                                                                              \
    X(CERT_REJECTED)                                                                               \
    X(HOSTNAME_MISMATCH)

const char *tls_verify_code(long result)
{
    switch (result) {
    case X509_V_OK: return "OK";
#define CASE(name)                                                                                 \
    case X509_V_ERR_##name: return #name;
        X509_CODES(CASE)
#undef CASE
    default: return "UNSPECIFIED";
    }
}
