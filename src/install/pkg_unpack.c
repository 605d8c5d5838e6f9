/* install/pkg_unpack.c -- a tarball becomes a folder of the cache: checked against its digest,
 * unpacked beside, and renamed into place at the end, so that a folder in the cache is always
 * whole.  Its list of names lets it be linked without looking through it.
 *
 * Runs on any thread. */
#include "codec/base64.h"
#include "codec/inflate.h"
#include "codec/tar.h"
#include "install/pkg.h"
#include "util/path.h"

#include <openssl/evp.h>
#include <string.h>

enum { FILE_MODE = 0644, PROGRAM_MODE = 0755, DIR_MODE = 0755, PROGRAM_BITS = 0111 };

/* ---- Integrity ------------------------------------------------------------------------------- */

static bool digest_is(const char *name, Str data, Str wanted)
{
    u8 out[EVP_MAX_MD_SIZE];
    u32 n = 0;
    EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
    bool ok = md && EVP_Digest(data.p, data.n, out, &n, md, NULL);
    EVP_MD_free(md);
    return ok && wanted.n == n && !memcmp(out, wanted.p, n);
}

/* "sha512-BASE64", perhaps several with spaces between: the strongest that is known counts.
 * -1: none is known. */
static int check_integrity(Str tarball, Str integrity)
{
    static const char *const names[] = {"sha512", "sha384", "sha256", "sha1"};
    u8 wanted[2 * EVP_MAX_MD_SIZE];
    for (u32 i = 0; i < COUNT(names); i++) {
        Str rest = integrity, one;
        while (rest.p && str_next(&rest, ' ', &one)) {
            usize n = strlen(names[i]);
            if (!str_starts(one, str_z(names[i])) || one.n <= n || one.p[n] != '-') continue;
            Str text = str_skip(one, n + 1);
            if (base64_decoded_len_max(text.n) > sizeof wanted) return 0;
            usize len = base64_decode_lenient(text, wanted);
            return digest_is(names[i], tarball, (Str){(char *)wanted, len});
        }
    }
    return -1;
}

static bool is_authentic(Str tarball, Str integrity, Str shasum)
{
    int rc = check_integrity(tarball, integrity);
    if (rc >= 0) return rc;
    u8 wanted[64];
    /* Old registries say nothing about old packages: then there is nothing to check. */
    if (!integrity.n && !shasum.n) return true;
    if (shasum.n != 40) return false;
    return digest_is("sha1", tarball, (Str){(char *)wanted, hex_decode(shasum, wanted)});
}

/* ---- Files ----------------------------------------------------------------------------------- */

void pkg_integrity_of(Str bytes, Buf *ret)
{
    u8 digest[EVP_MAX_MD_SIZE];
    u32 n = 0;
    EVP_MD *md = EVP_MD_fetch(NULL, "sha512", NULL);
    if (md) (void)EVP_Digest(bytes.p, bytes.n, digest, &n, md, NULL);
    EVP_MD_free(md);
    (void)buf_push(ret, S("sha512-"));
    char *room = buf_reserve(ret, base64_encoded_len(n, BASE64_STANDARD));
    ret->len += base64_encode(digest, n, BASE64_STANDARD, room);
}

typedef struct {
    TarStream tar;
    int dir, fd;
    Buf name; /* of the entry, with a NUL */
    Buf list; /* what was made, for sys_link_list */
    Buf *top;
    u64 n_bytes;
    int rc;
    const char *error;
} Unpack;

static bool fail(Unpack *u, int rc, const char *error)
{
    u->rc = rc;
    u->error = error;
    return false;
}

/* Without the first part of the name, whatever that is ("package" mostly). */
static Str strip_first(Str name)
{
    Str first, rest;
    return str_cut(name, '/', &first, &rest) ? rest : S("");
}

static void note(Unpack *u, Str name, bool is_dir)
{
    (void)buf_push(&u->list, name);
    if (is_dir) (void)buf_push_char(&u->list, '/');
    (void)buf_push_char(&u->list, 0);
}

/* The folders above the file, from the first that is missing. */
static int make_parents(Unpack *u)
{
    Str name = buf_str(&u->name);
    char *p = u->name.p;
    for (usize i = 0; i < name.n; i++) {
        if (p[i] != '/') continue;
        p[i] = 0;
        int rc = sys_mkdir_at(u->dir, name, DIR_MODE);
        p[i] = '/';
        if (rc < 0 && rc != -EEXIST) return rc;
        if (rc >= 0) note(u, str_slice(name, 0, i), true);
    }
    return 0;
}

static int make_file(Unpack *u, u32 mode)
{
    Str name = buf_str(&u->name);
    int fd = sys_open_at(u->dir, name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd == -ENOENT) {
        int rc = make_parents(u);
        if (rc < 0) return rc;
        fd = sys_open_at(u->dir, name, O_WRONLY | O_CREAT | O_EXCL, mode);
    }
    /* Named twice: the last one counts. */
    if (fd == -EEXIST) return sys_open_at(u->dir, name, O_WRONLY | O_TRUNC | O_NOFOLLOW, mode);
    if (fd >= 0) note(u, name, false);
    return fd;
}

static bool on_entry(void *ctx, const TarEntry *e, u64 size)
{
    Unpack *u = ctx;
    Str name = strip_first(e->name);
    if (u->top && !u->top->len && name.n)
        (void)buf_push(u->top, str_slice(e->name, 0, e->name.n - name.n - 1));
    u->n_bytes += MIN(size, (u64)PKG_UNPACKED_MAX);
    if (u->n_bytes >= PKG_UNPACKED_MAX) return fail(u, -EFBIG, "it is too large");
    /* Links and folders are not what packages are made of: files bring their folders. */
    if (e->kind != TAR_FILE || !name.n || str_eq(name, S(PKG_LIST_NAME))) return true;
    if (!tar_name_is_safe(name))
        return fail(u, -EBADMSG, "a file in it would be written outside of the package");
    buf_clear(&u->name);
    (void)buf_push(&u->name, name);
    u->fd = make_file(u, e->mode & PROGRAM_BITS ? PROGRAM_MODE : FILE_MODE);
    return u->fd >= 0 || fail(u, u->fd, NULL);
}

static bool on_data(void *ctx, Str piece)
{
    Unpack *u = ctx;
    int rc = u->fd >= 0 ? sys_write_all(u->fd, piece) : 0;
    return rc >= 0 || fail(u, rc, NULL);
}

static bool on_end(void *ctx)
{
    Unpack *u = ctx;
    int rc = u->fd >= 0 ? sys_close(u->fd) : 0;
    u->fd = -1;
    return rc >= 0 || fail(u, rc, NULL);
}

static bool put_piece(void *ctx, Str piece)
{
    Unpack *u = ctx;
    return tar_stream_put(&u->tar, piece);
}

static int write_list(Unpack *u)
{
    int fd = sys_open_at(u->dir, S(PKG_LIST_NAME), O_WRONLY | O_CREAT | O_EXCL, FILE_MODE);
    if (fd < 0) return fd;
    int rc = sys_write_all(fd, buf_str(&u->list)), closed = sys_close(fd);
    return rc < 0 ? rc : closed;
}

static void unpack_all(Unpack *u, Str tarball)
{
    AUTO(Buf) window = {0};
    (void)buf_push(&u->list, S(PKG_LIST_HEAD));
    u8 *room = (u8 *)buf_reserve(&window, INFLATE_WINDOW);
    const char *error = gunzip_pieces(tarball, room, put_piece, u);
    bool is_whole = !error && !u->tar.error && u->rc >= 0 && tar_stream_finish(&u->tar);
    if (!error) error = u->tar.error;
    if (!is_whole && u->rc >= 0) (void)fail(u, -EBADMSG, error);
    if (u->rc >= 0) u->rc = write_list(u);
}

static int unpack_into(const PkgTarball *t, const char **ret_error)
{
    static const TarStreamEvents events = {on_entry, on_data, on_end};
    Unpack u = {.tar = {.events = &events}, .fd = -1, .top = t->ret_top};
    u.tar.ctx = &u;
    u.dir = sys_open(t->staging, O_PATH | O_DIRECTORY, 0);
    if (u.dir < 0) return u.dir;
    unpack_all(&u, t->bytes);
    *ret_error = u.error;
    TarStream_deinit(&u.tar);
    Buf_deinit(&u.name);
    Buf_deinit(&u.list);
    sys_close(u.fd);
    sys_close(u.dir);
    return u.rc;
}

static int move(Str staging, Str dir)
{
    usize made;
    int rc = sys_rename(staging, dir);
    if (rc == -ENOENT) {
        rc = sys_mkdir_all(path_dirname(dir), DIR_MODE, &made);
        if (rc >= 0) rc = sys_rename(staging, dir);
    }
    return rc;
}

int pkg_unpack(const PkgTarball *t, const char **ret_error)
{
    *ret_error = NULL;
    if (!is_authentic(t->bytes, t->integrity, t->shasum)) {
        *ret_error = "its integrity is not what was expected";
        return -EBADMSG;
    }
    int rc = sys_mkdir(t->staging, DIR_MODE);
    if (rc < 0) return rc;
    rc = unpack_into(t, ret_error);
    if (rc >= 0) rc = move(t->staging, t->dir);
    /* Somebody else was faster: theirs is as good. */
    if (rc == -ENOTEMPTY || rc == -EEXIST)
        rc = 0;
    else if (rc >= 0)
        return 0;
    int removed = sys_remove_tree(t->staging);
    return rc < 0 ? rc : removed;
}
