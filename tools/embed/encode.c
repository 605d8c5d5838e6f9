/* tools/embed/encode.c -- compiles the JavaScript halves: `encode TEXTS OUT.bin`.
 *
 * TEXTS is what embed wrote.  Linked with the engine as the executable is, so that the code is what
 * the engine there would make of the text: all functions, to be read one by one when they are first
 * called.  OUT.bin is a BuiltinCodes (runtime/vm.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/host.h"
#include "engine/js.h"
#include "runtime/vm.h"

enum { CODE_ALIGN = 16 };

typedef struct {
    const char *path;
    Text text;
    size_t at; /* read so far */
    BuiltinCode *codes;
    size_t n_codes, codes_cap;
    Text bytes;
} Encode;

static unsigned long long take_number(Encode *e, int base, char end)
{
    char *after = NULL;
    unsigned long long n = strtoull(e->text.p + e->at, &after, base);
    if (after == e->text.p + e->at || *after != end) host_die("%s: not what embed writes", e->path);
    e->at = (size_t)(after - e->text.p) + 1;
    return n;
}

static void align(Text *bytes)
{
    static const char zeros[CODE_ALIGN];
    if (bytes->len % CODE_ALIGN) text_put(bytes, zeros, CODE_ALIGN - bytes->len % CODE_ALIGN);
}

static void encode_one(Encode *e, Js *js)
{
    size_t len = (size_t)take_number(e, 10, ' ');
    BuiltinCode code = {.src_hash = take_number(e, 16, '\n')};
    if (len > e->text.len - e->at) host_die("%s: cut short", e->path);
    Buf made = {0};
    Str source = {e->text.p + e->at, len};
    if (!js_static_compile(js, source, &made))
        host_die("%s: %zu cannot be compiled", e->path, e->n_codes);
    code.off = (u32)e->bytes.len;
    code.len = (u32)made.len;
    text_put(&e->bytes, made.p, made.len);
    align(&e->bytes);
    Buf_deinit(&made);
    e->at += len;
    e->codes = host_grow(e->codes, e->n_codes, &e->codes_cap, sizeof(BuiltinCode));
    e->codes[e->n_codes++] = code;
}

static void write_codes(Encode *e, const char *path)
{
    BuiltinCodes head = {.n = e->n_codes};
    Text out = {0};
    size_t records = e->n_codes * sizeof(BuiltinCode);
    for (size_t i = 0; i < e->n_codes; i++) e->codes[i].off += (u32)(sizeof(head) + records);
    text_put(&out, (const char *)&head, sizeof(head));
    if (records) text_put(&out, (const char *)e->codes, records);
    text_put(&out, e->bytes.p, e->bytes.len);
    if (out.len > UINT32_MAX) host_die("%s: more than 4 GB", path);
    host_write(path, &out);
}

int main(int argc, char **argv)
{
    if (argc != 3) host_die("usage: encode TEXTS OUT.bin");
    Encode e = {.path = argv[1]};
    if (!host_read(e.path, &e.text)) host_die("%s: cannot be read", e.path);
    Js *js = js_new(NULL);
    while (e.at < e.text.len) encode_one(&e, js);
    write_codes(&e, argv[2]);
    return 0;
}
