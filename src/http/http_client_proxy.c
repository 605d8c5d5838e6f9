/* http/http_client_proxy.c -- proxies that the environment names. */
#include "http/http_client.h"

#include <string.h>

static Str env(Arena *a, const char *lower, const char *upper)
{
    Str value;
    if (sys_env_find(a, str_z(lower), &value) && value.n) return value;
    if (sys_env_find(a, str_z(upper), &value) && value.n) return value;
    return (Str){0};
}

Str http_proxy_from_env(Arena *a, bool is_https, Str host, u32 port)
{
    Str proxy =
        is_https ? env(a, "https_proxy", "HTTPS_PROXY") : env(a, "http_proxy", "HTTP_PROXY");
    if (!proxy.n) return proxy;
    if (http_no_proxy_has(env(a, "no_proxy", "NO_PROXY"), host, port)) return (Str){0};
    return proxy;
}

static u32 address_bytes(Str host, u8 ret[16])
{
    SysAddr addr;
    return sys_addr_parse(host, 0, &addr) < 0 ? 0 : sys_addr_bytes(&addr, ret);
}

/* "10.0.0.0/8" */
static bool is_in_block(Str block, Str host)
{
    Str base, digits;
    u64 n_bits;
    u8 a[16], b[16];
    if (!str_cut(block, '/', &base, &digits) || !str_to_u64(digits, &n_bits)) return false;
    u32 n = address_bytes(base, a);
    if (!n || n != address_bytes(host, b) || n_bits > n * 8) return false;
    usize whole = n_bits / 8;
    if (memcmp(a, b, whole) != 0) return false;
    u32 rest = (u32)(n_bits % 8);
    return !rest || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

static bool matches(Str entry, Str host, u32 port)
{
    if (str_eq(entry, S("*"))) return true;
    if (is_in_block(entry, host)) return true;
    i64 colon = str_rfind(entry, ':');
    u64 wanted;
    bool has_port = colon > 0 && str_find(entry, ':') == colon &&
                    str_to_u64(str_skip(entry, (usize)colon + 1), &wanted);
    if (has_port) {
        if (wanted != port) return false;
        entry = str_slice(entry, 0, (usize)colon);
    }
    if (str_starts(entry, S("*"))) entry = str_skip(entry, 1);
    if (str_starts(entry, S("."))) entry = str_skip(entry, 1);
    if (!entry.n || entry.n > host.n) return false;
    if (!str_eq_nocase(str_skip(host, host.n - entry.n), entry)) return false;
    return entry.n == host.n || host.p[host.n - entry.n - 1] == '.';
}

bool http_no_proxy_has(Str list, Str host, u32 port)
{
    Str piece;
    if (!list.p) return false;
    for (Str rest = list; str_next(&rest, ',', &piece);) {
        for (Str words = piece, word; str_next(&words, ' ', &word);)
            if (word.n && matches(str_trim(word), host, port)) return true;
    }
    return false;
}
