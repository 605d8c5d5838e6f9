/* install/pkg_unpack.c -- a tarball becomes a folder of the cache: checked against its digest,
 * unpacked beside, and renamed into place at the end, so that a folder in the cache is always
 * whole.
 *
 * Runs on any thread. */
#include "codec/base64.h"
#include "codec/compress.h"
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
    if (shasum.n != 40) return false;
    return digest_is("sha1", tarball, (Str){(char *)wanted, hex_decode(shasum, wanted)});
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Without the first part of the name, whatever that is ("package" mostly). */
static Str strip_first(Str name)
{
    Str first, rest;
    return str_cut(name, '/', &first, &rest) ? rest : S("");
}

static int make_parent(Str path, Str *last)
{
    Str parent = path_dirname(path);
    usize made;
    if (str_eq(parent, *last)) return 0;
    int rc = sys_mkdir_all(parent, DIR_MODE, &made);
    if (rc >= 0) *last = parent;
    return rc < 0 ? rc : 0;
}

static int write_entry(Arena *a, Str dir, const TarEntry *e, Str *last, const char **ret_error)
{
    Str name = strip_first(e->name);
    /* Links and folders are not what packages are made of: files bring their folders. */
    if (e->kind != TAR_FILE || !name.n) return 0;
    if (!tar_name_is_safe(name)) {
        *ret_error = "a file in it would be written outside of the package";
        return -EBADMSG;
    }
    Str path = str_fmt(a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
    int rc = make_parent(path, last);
    if (rc < 0) return rc;
    u32 mode = e->mode & PROGRAM_BITS ? PROGRAM_MODE : FILE_MODE;
    return sys_write_file(path, e->data, mode);
}

static int write_all(Str archive, Str dir, const char **ret_error)
{
    Arena arena = {0};
    TarReader reader = tar_reader(&arena, archive);
    TarEntry e;
    Str last = {0};
    int rc = 0;
    while (rc >= 0 && tar_next(&reader, &e)) rc = write_entry(&arena, dir, &e, &last, ret_error);
    if (rc >= 0 && reader.error) {
        *ret_error = reader.error;
        rc = -EBADMSG;
    }
    arena_deinit(&arena);
    return rc;
}

static int unpack_into(Str tarball, Str dir, const char **ret_error)
{
    AUTO(Buf) archive = {.max = PKG_UNPACKED_MAX};
    CompressOptions o = compress_defaults(COMPRESS_GUNZIP);
    CompressError e = {0};
    bool ok = compress_whole(&o, tarball, compress_flushes(COMPRESS_GUNZIP).finish, &archive, &e);
    if (!ok || archive.full) {
        *ret_error = archive.full ? "it is too large" : e.message;
        return -EBADMSG;
    }
    return write_all(buf_str(&archive), dir, ret_error);
}

int pkg_unpack(Str tarball, Str integrity, Str shasum, Str dir, const char **ret_error)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str staging;
    usize made;
    *ret_error = NULL;
    if (!is_authentic(tarball, integrity, shasum)) {
        *ret_error = "its integrity is not what was expected";
        return -EBADMSG;
    }
    int rc = sys_mkdir_all(path_dirname(dir), DIR_MODE, &made);
    if (rc >= 0) rc = sys_mkdtemp(s.arena, str_fmt(s.arena, "%.*s.tmp-", STR_ARG(dir)), &staging);
    if (rc < 0) return rc;
    rc = sys_chmod(staging, DIR_MODE);
    if (rc >= 0) rc = unpack_into(tarball, staging, ret_error);
    if (rc >= 0) rc = sys_rename(staging, dir);
    /* Somebody else was faster: theirs is as good. */
    if (rc == -ENOTEMPTY || rc == -EEXIST)
        rc = 0;
    else if (rc >= 0)
        return 0;
    int removed = sys_remove_tree(staging);
    return rc < 0 ? rc : removed;
}
