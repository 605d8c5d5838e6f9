/* URLs: parsing and every setter, on any bytes.  Input: base, NUL, text.  What comes out must be
 * ASCII and must parse to itself. */
#include "codec/url.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static void check(Arena *a, const Url *url)
{
    Url again;
    ASSERT(url_parse(a, url->href, NULL, &again));
    ASSERT(str_eq(url->href, again.href));
    ASSERT(url->path_start == again.path_start && url->search_start == again.search_start);
    ASSERT(url->host_start == again.host_start && url->port_end == again.port_end);
    for (usize i = 0; i < url->href.n; i++) ASSERT((u8)url->href.p[i] < 128);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Url base, url, changed;
    Str head, text;
    bool has_base = str_cut((Str){(const char *)data, size}, 0, &head, &text) &&
                    url_parse(&a, head, NULL, &base);
    if (has_base) check(&a, &base);
    if (url_parse(&a, has_base ? text : head, has_base ? &base : NULL, &url)) {
        check(&a, &url);
        (void)url_origin(&a, &url);
        for (u32 part = URL_PROTOCOL; part <= URL_HASH; part++) {
            url_set(&a, &url, (UrlPart)part, text, &changed);
            check(&a, &changed);
        }
    }
    arena_deinit(&a);
    return 0;
}
