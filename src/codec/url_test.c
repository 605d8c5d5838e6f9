/* codec/url_test.c -- URLs: parsing, setters, hosts, percent-encoding. */
#include "codec/url.h"

#include "util/test.h"

static Arena arena;

/* The href of `input` against `base` ("" = none), or "failure". */
static Str href(const char *input, const char *base)
{
    Url b, u;
    bool has_base = base[0] != 0;
    if (has_base && !url_parse(&arena, str_z(base), NULL, &b)) return S("bad base");
    if (!url_parse(&arena, str_z(input), has_base ? &b : NULL, &u)) return S("failure");
    return u.href;
}

static Str set(const char *input, UrlPart part, const char *value)
{
    Url u, v;
    if (!url_parse(&arena, str_z(input), NULL, &u)) return S("failure");
    url_set(&arena, &u, part, str_z(value), &v);
    return v.href;
}

TEST(url_components)
{
    Url u;
    REQUIRE(
        url_parse(&arena, S("https://user:pa%20ss@EXAMPLE.com:1234/foo/bar?baz#quux"), NULL, &u));
    CHECK_STR(u.href, "https://user:pa%20ss@example.com:1234/foo/bar?baz#quux");
    CHECK_STR(url_scheme_name(&u), "https");
    CHECK_STR(url_username(&u), "user");
    CHECK_STR(url_password(&u), "pa%20ss");
    CHECK_STR(url_host(&u), "example.com:1234");
    CHECK_STR(url_hostname(&u), "example.com");
    CHECK_INT(url_port(&u), 1234);
    CHECK_STR(url_path(&u), "/foo/bar");
    CHECK_STR(url_search(&u), "?baz");
    CHECK_STR(url_hash(&u), "#quux");
    CHECK_STR(url_origin(&arena, &u), "https://example.com:1234");
    CHECK_INT(u.scheme, URL_SCHEME_HTTPS);
}

TEST(url_absent_components_are_empty)
{
    Url u;
    REQUIRE(url_parse(&arena, S("mailto:x"), NULL, &u));
    CHECK_STR(url_username(&u), "");
    CHECK_STR(url_password(&u), "");
    CHECK_STR(url_host(&u), "");
    CHECK_STR(url_path(&u), "x");
    CHECK_STR(url_search(&u), "");
    CHECK_STR(url_hash(&u), "");
    CHECK_INT(url_port(&u), 0);
    CHECK(u.has_opaque_path);
    CHECK_STR(url_origin(&arena, &u), "null");
}

TEST(url_absolute)
{
    CHECK_STR(href("  http:\\\\x\\y\tz  ", ""), "http://x/yz");
    CHECK_STR(href("http://h:80", ""), "http://h/");
    CHECK_STR(href("http://h:0", ""), "http://h:0/");
    CHECK_STR(href("http://a@b@c/", ""), "http://a%40b@c/");
    CHECK_STR(href("http://h/a/./b/%2e%2E/c/..", ""), "http://h/a/");
    CHECK_STR(href("web+demo:/.//not-a-host/", ""), "web+demo:/.//not-a-host/");
    CHECK_STR(href("data: x  #f", ""), "data: x %20#f");
    CHECK_STR(href("file:///C|/x/../../..", ""), "file:///C:/");
    CHECK_STR(href("http://h/\xc3\xa9?\xc3\xa9#\xc3\xa9", ""), "http://h/%C3%A9?%C3%A9#%C3%A9");
    CHECK_STR(href("http://h/?'", ""), "http://h/?%27");
    CHECK_STR(href("x://h/?'", ""), "x://h/?'");
}

TEST(url_failures)
{
    static const char *const bad[] = {
        "",
        "x",
        "http://",
        "http://h:65536",
        "http://h:x",
        "http://a b/",
        "http://:80",
        "http://u@",
        "http://[::1",
        "http://1.2.3.256",
        "http://h:8 0/",
        "http://%00/",
        "http://0x1ffffffff/",
        "x://a^b",
        "http://1.2.3.4.5/",
    };
    for (usize i = 0; i < COUNT(bad); i++) CHECK_STR(href(bad[i], ""), "failure");
}

TEST(url_relative)
{
    CHECK_STR(href("../x?y", "http://h/a/b/c"), "http://h/a/x?y");
    CHECK_STR(href("", "http://h/a?q#f"), "http://h/a?q");
    CHECK_STR(href("?", "http://h/a?q"), "http://h/a?");
    CHECK_STR(href("//other/p", "https://u@h:1/"), "https://other/p");
    CHECK_STR(href("/p", "https://u@h:1/x"), "https://u@h:1/p");
    CHECK_STR(href("#f", "mailto:x?y"), "mailto:x?y#f");
    CHECK_STR(href("y", "mailto:x"), "failure");
    CHECK_STR(href("http:foo", "http://h/a/b"), "http://h/a/foo");
    CHECK_STR(href("/x", "file:///C:/a"), "file:///C:/x");
    CHECK_STR(href("D|/x", "file:///C:/a"), "file:///D:/x");
}

TEST(url_hosts)
{
    CHECK_STR(href("http://0x7f.1/", ""), "http://127.0.0.1/");
    CHECK_STR(href("http://256/", ""), "http://0.0.1.0/");
    CHECK_STR(href("http://1.2.3.4./", ""), "http://1.2.3.4/");
    CHECK_STR(href("http://[1:0:0:2:0:0:0:3]", ""), "http://[1:0:0:2::3]/");
    CHECK_STR(href("http://[::ffff:1.2.3.4]", ""), "http://[::ffff:102:304]/");
    CHECK_STR(href("http://[1:2:3:4:5:6:7::]", ""), "http://[1:2:3:4:5:6:7:0]/");
    CHECK_STR(href("http://[::1:2:3:4:5:6:7:8]", ""), "failure");
    CHECK_STR(href("http://fa\xc3\x9f.de", ""), "http://xn--fa-hia.de/");
    CHECK_STR(href("http://FA\xe1\xba\x9e.de", ""), "http://xn--fa-hia.de/");
    CHECK_STR(href("http://xn--", ""), "failure");
    /* Ideographs of Unicode 17, and the one that stands for them before ICU. */
    CHECK_STR(href("http://\xf0\xb2\xae\x9a"
                   "9\xea\x8d\xa9\xe1\x9f\x93.SS",
                   ""),
              "http://xn--9-i0j5967eg3qz.ss/");
    CHECK_STR(href("http://xn--9-i0j5967eg3qz.ss", ""), "http://xn--9-i0j5967eg3qz.ss/");
    CHECK_STR(href("http://\xf0\xb1\x8d\x8ax\xf0\xae\xaf\xb1.com", ""),
              "http://xn--x-bo62am58d.com/");
    CHECK_STR(href("http://xn--a", ""), "failure");
    CHECK_STR(href("file://localhost/x", ""), "file:///x");
    CHECK_STR(href("x://A\xc3\xa9", ""), "x://A%C3%A9");
}

TEST(url_setters)
{
    CHECK_STR(set("http://h:443/", URL_PROTOCOL, "https:x"), "https://h/");
    CHECK_STR(set("http://h/", URL_PROTOCOL, "data"), "http://h/");
    CHECK_STR(set("http://h/", URL_USERNAME, "a:b"), "http://a%3Ab@h/");
    CHECK_STR(set("file:///x", URL_USERNAME, "a"), "file:///x");
    CHECK_STR(set("http://h/", URL_HOST, "x:99/y"), "http://x:99/");
    CHECK_STR(set("http://h:1/", URL_HOSTNAME, "x:99"), "http://h:1/");
    CHECK_STR(set("http://h:1/", URL_HOST, ""), "http://h:1/");
    CHECK_STR(set("http://h/", URL_PORT, "80a"), "http://h/");
    CHECK_STR(set("http://h/", URL_PORT, "90a"), "http://h:90/");
    CHECK_STR(set("http://h:90/", URL_PORT, ""), "http://h/");
    CHECK_STR(set("http://h/", URL_PATHNAME, "a?b#c"), "http://h/a%3Fb%23c");
    CHECK_STR(set("mailto:x", URL_PATHNAME, "y"), "mailto:x");
    CHECK_STR(set("x:/a", URL_PATHNAME, "//b"), "x:/.//b");
    CHECK_STR(set("http://h/?a#b", URL_SEARCH, ""), "http://h/#b");
    CHECK_STR(set("http://h/", URL_SEARCH, "?c#"), "http://h/?c%23");
    CHECK_STR(set("http://h/#b", URL_HASH, "#"), "http://h/#");
    CHECK_STR(set("http://h/#b", URL_HASH, ""), "http://h/");
}

TEST(url_percent_and_forms)
{
    CHECK_STR(url_form_encode(&arena, S("a b&~*\xc3\xa9")), "a+b%26%7E*%C3%A9");
    CHECK_STR(url_form_decode(&arena, S("a+b%26%zz%4")), "a b&%zz%4");
    CHECK_STR(url_percent_decode(&arena, S("%41%4a+")), "AJ+");
    CHECK_STR(url_domain_to_unicode(&arena, S("xn--fa-hia.DE")), "fa\xc3\x9f.de");
}

static u32 random_state = 12345;

static u32 next_random(u32 n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

/* Pieces of URLs that are plain, nearly plain, and not. */
static Str random_url(Arena *a)
{
    static const char *const pieces[] = {
        "http://", "https://", "HTTP://", "a",      "b.c",   "127.0.0.1", "1.2.3.256", "0x7f",
        ".",       "..",       ":",       ":80",    ":8080", ":0",        "/",         "/x",
        "/.",      "%2e",      "%20",     "?",      "?q=1",  "#",         "#f",        "@",
        "'",       "xn--",     "-",       "\\",     " ",     "\t",        "<",         "|",
        "^",       "é",        "~",       ":65536", ":00",   ":443",      "0",         "_",
    };
    Buf b = {0};
    buf_push(&b, str_z(pieces[next_random(2)]));
    buf_push(&b, str_z(next_random(2) ? "a.b" : "127.0.0.1"));
    for (u32 n = next_random(7); n; n--) {
        buf_push(&b, str_z(pieces[next_random(COUNT(pieces))]));
        if (next_random(3) == 0) buf_push(&b, S("/"));
    }
    Str s = str_dup(a, buf_str(&b));
    Buf_deinit(&b);
    return s;
}

TEST(url_plain_is_what_the_parser_says)
{
    u32 n_plain = 0;
    for (u32 i = 0; i < 20000; i++) {
        AUTO(Scratch) s = scratch_begin(NULL);
        Url plain, full;
        Str text = random_url(s.arena);
        if (!url_parse_plain(text, &plain)) continue;
        n_plain++;
        /* A space in front is dropped, but not by the short way. */
        REQUIRE(url_parse(s.arena, str_concat(s.arena, S(" "), text), NULL, &full));
        CHECK(str_eq(plain.href, full.href));
        bool is_same =
            plain.protocol_end == full.protocol_end && plain.user_end == full.user_end &&
            plain.credentials_end == full.credentials_end && plain.host_start == full.host_start &&
            plain.host_end == full.host_end && plain.port_end == full.port_end &&
            plain.path_start == full.path_start && plain.search_start == full.search_start &&
            plain.hash_start == full.hash_start && plain.scheme == full.scheme &&
            plain.has_host == full.has_host && plain.has_opaque_path == full.has_opaque_path;
        CHECK(is_same);
    }
    CHECK(n_plain > 1000);
}
