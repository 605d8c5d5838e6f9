/* net/tls_store.c -- the authorities that are trusted when a program names none.
 *
 * The file with all of them takes 48 ms to read.  The directory with one file for each, named by a
 * hash of the subject, costs nothing until a chain is verified, and then one small file. */
#include "net/net_private.h"
#include "net/tls_private.h"

#include "sys/sys.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <pthread.h>

static pthread_once_t init_once = PTHREAD_ONCE_INIT;

static void init(void)
{
    /* Without the configuration of the system: programs behave alike everywhere. */
    (void)OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

void tls_init(void)
{
    (void)pthread_once(&init_once, init);
}

static bool load_file(X509_STORE *store, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    bool is_good = path.n && X509_STORE_load_file(store, str_dup_z(s.arena, path));
    ERR_clear_error();
    return is_good;
}

X509_STORE *tls_store_new(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    X509_STORE *store = X509_STORE_new();
    if (!store) bug_oom(sizeof(void *));
    Str file = {0}, dir = {0}, extra = {0};
    bool has_file = sys_env_find(s.arena, S("SSL_CERT_FILE"), &file) && file.n;
    bool has_dir = sys_env_find(s.arena, S("SSL_CERT_DIR"), &dir) && dir.n;
    if (has_file) (void)load_file(store, file);
    if (has_dir || !has_file) {
        (void)X509_STORE_load_path(store, str_dup_z(s.arena, has_dir ? dir : S("/etc/ssl/certs")));
        ERR_clear_error();
    }
    if (sys_env_find(s.arena, S("NODE_EXTRA_CA_CERTS"), &extra)) (void)load_file(store, extra);
    return store;
}

static X509_STORE *shared; /* for the life of the process; has a lock of its own */
static pthread_once_t shared_once = PTHREAD_ONCE_INIT;

static void make_shared(void)
{
    shared = tls_store_new();
}

X509_STORE *tls_store_shared(void)
{
    (void)pthread_once(&shared_once, make_shared);
    return shared;
}
