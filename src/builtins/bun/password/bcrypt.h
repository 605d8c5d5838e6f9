/* bun/password/bcrypt.h -- bcrypt (Provos, Mazieres: "A Future-Adaptable Password Scheme"). */
#pragma once

#include "util/base.h"
#include "util/str.h"

enum {
    BCRYPT_COST_MIN = 4,
    BCRYPT_COST_MAX = 31,
    BCRYPT_SALT = 16,
    BCRYPT_KEY_MAX = 72, /* what is longer has no effect */
    BCRYPT_TAG = 23,
    BCRYPT_TEXT = 60, /* "$2b$10$" and 22 + 31 characters */
};

/* The password may contain NULs; one is put behind it. */
void bcrypt_hash(Str password, const u8 salt[BCRYPT_SALT], u32 cost, u8 ret[BCRYPT_TAG]);
/* BCRYPT_TEXT characters, no NUL. */
void bcrypt_write(u32 cost, const u8 salt[BCRYPT_SALT], const u8 tag[BCRYPT_TAG], char *ret);
/* false: not what bcrypt_write writes ($2a$, $2x$ and $2y$ are read as well). */
NODISCARD bool bcrypt_read(Str text, u32 *ret_cost, u8 ret_salt[BCRYPT_SALT],
                           u8 ret_tag[BCRYPT_TAG]);
