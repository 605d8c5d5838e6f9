/* codec/sourcemap_json.c -- source maps as JSON, and where programs name them. */
#include "codec/base64.h"
#include "codec/sourcemap.h"
#include "util/json.h"

#include <string.h>

/* ---- Reading ---- */

/* Strings of an array; what is no string stays without a pointer. */
static const Str *read_strings(Arena *a, const JsonNode *n, Str prefix, u32 *ret_n)
{
    *ret_n = 0;
    if (!n || n->kind != JSON_ARRAY) return NULL;
    Str *out = ARENA_ARRAY(a, Str, n->len + 1);
    for (u32 i = 0; i < n->len; i++) {
        if (n->items[i].kind != JSON_STRING) continue;
        out[i] = json_str(a, &n->items[i]);
        if (!out[i].p) out[i].p = "";
        if (prefix.n) out[i] = str_concat(a, prefix, out[i]);
    }
    *ret_n = n->len;
    return out;
}

static Str root_of(Arena *a, const JsonNode *json)
{
    Str root = json_find_str(a, json, S("sourceRoot"));
    if (!root.n || str_ends(root, S("/"))) return root;
    return str_concat(a, root, S("/"));
}

static bool read_plain(Arena *a, const JsonNode *json, SourceMap *m, const char **ret_what)
{
    const JsonNode *mappings = json_find(json, S("mappings"));
    u32 n_contents;
    *m = (SourceMap){.file = json_find_str(a, json, S("file"))};
    if (!mappings || mappings->kind != JSON_STRING) {
        *ret_what = "it has no mappings";
        return false;
    }
    m->mappings = json_str(a, mappings);
    m->sources = read_strings(a, json_find(json, S("sources")), root_of(a, json), &m->n_sources);
    m->names = read_strings(a, json_find(json, S("names")), (Str){0}, &m->n_names);
    const Str *contents =
        read_strings(a, json_find(json, S("sourcesContent")), (Str){0}, &n_contents);
    if (m->n_sources > SOURCEMAP_SOURCES_MAX) {
        *ret_what = "it has too many sources";
        return false;
    }
    Str *padded = ARENA_ARRAY(a, Str, m->n_sources + 1);
    for (u32 i = 0; i < MIN(n_contents, m->n_sources); i++) padded[i] = contents[i];
    m->contents = padded;
    return true;
}

/* ---- Sections: joined into one map ---- */

typedef struct {
    Arena *arena;
    SourceMapWriter writer;
    Vec(Str) sources, contents, names;
} Join;

static u32 small_number(const JsonNode *n)
{
    if (!n || n->kind != JSON_NUMBER) return 0;
    f64 v = json_number(n);
    return v >= 0 && v < INT32_MAX ? (u32)v : 0;
}

static bool join_section(Join *j, const JsonNode *section, u32 line, u32 column,
                         const char **ret_what)
{
    SourceMap m;
    const JsonNode *map = json_find(section, S("map"));
    if (!map || map->kind != JSON_OBJECT) {
        *ret_what = "a section has no map";
        return false;
    }
    if (!read_plain(j->arena, map, &m, ret_what)) return false;
    i32 source0 = (i32)j->sources.len, name0 = (i32)j->names.len;
    for (u32 i = 0; i < m.n_sources; i++) {
        vec_push(j->arena, &j->sources, m.sources[i]);
        vec_push(j->arena, &j->contents, m.contents[i]);
    }
    for (u32 i = 0; i < m.n_names; i++) vec_push(j->arena, &j->names, m.names[i]);
    if (!sourcemap_index(j->arena, &m)) {
        *ret_what = "its mappings are malformed";
        return false;
    }
    SourceMapReader r;
    SourceSegment s;
    sourcemap_reader_init(&r, &m);
    while (sourcemap_next(&r, &s)) {
        if (!s.line && !ADD_OK(s.column, column, &s.column)) break;
        if (!ADD_OK(s.line, line, &s.line) || s.line > INT32_MAX || s.column > INT32_MAX) break;
        if (s.source >= 0) s.source += source0;
        if (s.name >= 0) s.name += name0;
        sourcemap_write(&j->writer, &s);
    }
    return true;
}

/* Lines that a hostile offset would make us write out. */
enum { LINES_MAX = 1 << 24 };

static bool read_sections(Arena *a, const JsonNode *sections, SourceMap *m, const char **ret_what)
{
    AUTO(Buf) out = {0};
    Join j = {.arena = a, .writer = {.out = &out}};
    u32 last_line = 0, last_column = 0;
    if (sections->kind != JSON_ARRAY || sections->len > SOURCEMAP_SECTIONS_MAX) {
        *ret_what = "its sections are no array, or too many";
        return false;
    }
    for (u32 i = 0; i < sections->len; i++) {
        const JsonNode *s = &sections->items[i], *offset = json_find(s, S("offset"));
        u32 line = small_number(json_find(offset, S("line")));
        u32 column = small_number(json_find(offset, S("column")));
        bool back = line < last_line || (line == last_line && column < last_column) ||
                    line < j.writer.last.line ||
                    (line == j.writer.last.line && column < j.writer.last.column);
        if (back || line > LINES_MAX) {
            *ret_what = "its sections overlap";
            return false;
        }
        if (!join_section(&j, s, line, column, ret_what)) return false;
        last_line = line;
        last_column = column;
    }
    *m = (SourceMap){.mappings = str_dup(a, buf_str(&out)),
                     .sources = j.sources.at,
                     .contents = j.contents.at,
                     .names = j.names.at,
                     .n_sources = j.sources.len,
                     .n_names = j.names.len};
    return true;
}

bool sourcemap_parse(Arena *a, Str json, SourceMap *ret, const char **ret_what)
{
    JsonNode root;
    JsonError err;
    SourceMap m;
    /* The prefix that keeps scripts from including it. */
    if (str_starts(json, S(")]}'"))) {
        i64 end = str_find(json, '\n');
        json = end < 0 ? (Str){0} : str_skip(json, (usize)end + 1);
    }
    if (!json_parse(a, json, 0, &root, &err)) {
        *ret_what = err.what;
        return false;
    }
    const JsonNode *version = json_find(&root, S("version"));
    if (!version || version->kind != JSON_NUMBER || json_number(version) != 3) {
        *ret_what = "its version is not 3";
        return false;
    }
    const JsonNode *sections = json_find(&root, S("sections"));
    if (sections ? !read_sections(a, sections, &m, ret_what) : !read_plain(a, &root, &m, ret_what))
        return false;
    if (!sourcemap_index(a, &m)) {
        *ret_what = "its mappings are malformed";
        return false;
    }
    *ret = m;
    return true;
}

/* ---- Writing ---- */

static void print_strings(Buf *out, const char *name, const Str *at, u32 n)
{
    buf_fmt(out, ",\n  \"%s\": [", name);
    for (u32 i = 0; i < n; i++) {
        if (i) buf_push(out, S(", "));
        if (at[i].p)
            json_write_str(out, at[i]);
        else
            buf_push(out, S("null"));
    }
    buf_push_char(out, ']');
}

void sourcemap_print(const SourceMap *m, Buf *out)
{
    buf_push(out, S("{\n  \"version\": 3"));
    if (m->file.n) {
        buf_push(out, S(",\n  \"file\": "));
        json_write_str(out, m->file);
    }
    print_strings(out, "sources", m->sources, m->n_sources);
    if (m->contents) print_strings(out, "sourcesContent", m->contents, m->n_sources);
    buf_push(out, S(",\n  \"mappings\": \""));
    buf_push(out, m->mappings);
    buf_push(out, S("\""));
    print_strings(out, "names", m->names, m->n_names);
    buf_push(out, S("\n}\n"));
}

/* ---- Comments and URLs ---- */

Str sourcemap_url(Str text)
{
    static const Str key = {"sourceMappingURL=", 17};
    const char *found = NULL;
    for (const char *p = text.p, *end = text.p + text.n; p && p < end;) {
        const char *q = memmem(p, (usize)(end - p), key.p, key.n);
        if (!q) break;
        bool is_comment = q - text.p >= 4 && (q[-1] == ' ' || q[-1] == '\t') &&
                          (q[-2] == '#' || q[-2] == '@') && (q[-3] == '/' || q[-3] == '*');
        if (is_comment && q[-4] == '/') found = q + key.n;
        p = q + key.n;
    }
    if (!found) return (Str){0};
    const char *end = found;
    while (end < text.p + text.n && (u8)*end > ' ' && *end != '"' && *end != '\'' && *end != '`')
        end++;
    Str url = {found, (usize)(end - found)};
    if (str_ends(url, S("*/"))) url.n -= 2;
    return url;
}

static u32 hex_at(const char *p)
{
    u8 byte;
    return hex_decode((Str){p, 2}, &byte) == 1 ? byte : UINT32_MAX;
}

static Str percent_decode(Arena *a, Str s)
{
    char *out = arena_alloc(a, s.n + 1, 1);
    usize n = 0;
    for (usize i = 0; i < s.n; i++) {
        u32 c = s.p[i] == '%' && i + 2 < s.n ? hex_at(s.p + i + 1) : UINT32_MAX;
        if (c == UINT32_MAX) {
            out[n++] = s.p[i];
        } else {
            out[n++] = (char)c;
            i += 2;
        }
    }
    return (Str){out, n};
}

bool sourcemap_data_url(Arena *a, Str url, Str *ret)
{
    Str head, body;
    if (!str_starts(url, S("data:")) || !str_cut(str_skip(url, 5), ',', &head, &body)) return false;
    if (!str_ends(head, S(";base64"))) {
        *ret = percent_decode(a, body);
        return true;
    }
    usize n;
    u8 *bytes = arena_alloc(a, base64_decoded_len_max(body.n) + 1, 1);
    if (!base64_decode_forgiving(percent_decode(a, body), bytes, &n)) return false;
    *ret = (Str){(const char *)bytes, n};
    return true;
}

void sourcemap_write_data_url(Str json, Buf *out)
{
    buf_push(out, S("data:application/json;base64,"));
    usize n = base64_encoded_len(json.n, BASE64_STANDARD);
    char *p = buf_reserve(out, n + 1);
    ASSERT(p);
    out->len += base64_encode((const u8 *)json.p, json.n, BASE64_STANDARD, p);
    out->p[out->len] = 0;
}
