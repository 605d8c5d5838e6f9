/* http/http_parse_field.c -- the tables: field names, errors, status texts. */
#include "http/http_parse.h"

#include <string.h>

static const struct {
    u8 len;
    char text[28];
} fields[] = {
    {0, ""},
#define X(name, text) {sizeof(text) - 1, text},
#include "http/http_field.def"
#undef X
};

Str http_field_text(HttpFieldId id)
{
    ASSERT(id < HTTP_FIELD_COUNT);
    return (Str){fields[id].text, fields[id].len};
}

/* The first entry of each length, and one more at the end; filled from the table on first use by
 * whoever comes first: all write the same. */
static u8 first_of_len[sizeof fields[0].text + 1];

static COLD void index_lengths(void)
{
    u32 id = HTTP_FIELD_COUNT;
    for (usize len = sizeof fields[0].text; len > 0; len--) {
        while (id > 1 && fields[id - 1].len >= len) id--;
        first_of_len[len] = (u8)id;
    }
    __atomic_store_n(&first_of_len[0], 1, __ATOMIC_RELEASE);
}

/* Both are `n` characters of tokens; `lower` has no capital letters.  Bit 5 of a letter is its
 * case; no other character of a token becomes one of `lower` when it is set. */
static bool is_same(const char *p, const char *lower, usize n)
{
    usize i = 0;
    for (; i + 8 <= n; i += 8) {
        u64 x, y;
        memcpy(&x, p + i, 8);
        memcpy(&y, lower + i, 8);
        if ((x | 0x2020202020202020u) != y) return false;
    }
    for (; i < n; i++) {
        if ((p[i] | 0x20) != lower[i]) return false;
    }
    return true;
}

HttpFieldId http_field_find(Str name)
{
    if (name.n < 2 || name.n >= sizeof fields[0].text) return HTTP_FIELD_OTHER;
    if (UNLIKELY(!__atomic_load_n(&first_of_len[0], __ATOMIC_ACQUIRE))) index_lengths();
    char first = (char)(name.p[0] | 0x20);
    for (u32 id = first_of_len[name.n]; id < first_of_len[name.n + 1]; id++) {
        if (fields[id].text[0] == first && is_same(name.p, fields[id].text, name.n)) {
            return (HttpFieldId)id;
        }
    }
    return HTTP_FIELD_OTHER;
}

static const struct {
    int rc;
    Str name, text;
} errors[] = {
#define X(name, number, text)                                                                      \
    {-(number), {"HPE_" #name, sizeof("HPE_" #name) - 1}, {text, sizeof(text) - 1}},
#include "http/http_error.def"
#undef X
};

static u32 find_error(int rc)
{
    for (u32 i = 0; i < COUNT(errors); i++) {
        if (errors[i].rc == rc) return i;
    }
    BUG("no such HttpError");
}

Str http_error_name(int rc)
{
    return errors[find_error(rc)].name;
}

Str http_error_text(int rc)
{
    return errors[find_error(rc)].text;
}

static const struct {
    u16 status;
    Str text;
} statuses[] = {
#define X(status, text) {status, {text, sizeof(text) - 1}},
#include "http/http_status.def"
#undef X
};

Str http_status_text(u32 status)
{
    u32 low = 0, high = COUNT(statuses);
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (statuses[mid].status == status) return statuses[mid].text;
        if (statuses[mid].status < status)
            low = mid + 1;
        else
            high = mid;
    }
    return S("Unknown");
}
