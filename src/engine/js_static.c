/* engine/js_static.c -- texts that are part of the executable, with code that was made when it was
 * built (js.h, "Static code").
 *
 * What the engine encodes holds the text as well, and decoding makes a copy and compares the two.
 * Our text needs neither: the provider says that it is empty when the engine encodes, and when it
 * compares.  At all other times (positions of functions, toString, functions without code) the
 * engine sees the real one.
 *
 * Encoding begins with the hash of the text: nothing before it asks for that.  Comparing is the
 * first look at the text after the code was handed out.  Where the engine refuses the code without
 * comparing, the next look is the parser's: it sees a program without statements, whose value is
 * undefined, and the text is evaluated in the ordinary way. */
#include "engine/js_provider.h"

#include "util/mem.h"

typedef struct StaticCode StaticCode;

typedef enum { TEXT_SHOWN, TEXT_HIDDEN_ONCE, TEXT_HIDDEN, TEXT_HIDDEN_FROM_HASH } TextState;

typedef struct {
    Provider base;
    Str text;
    TextState state;
    StaticCode *code; /* NULL: nothing was given */
} StaticProvider;

/* What the engine reads code from.  It may let go of it after the provider, so it belongs to the
 * machine. */
struct StaticCode {
    StaticCode *next;
    CachedCode given;
};

enum { STATIC_LEN_MAX = 1 << 24, TABLE_HEAD = 16, HASH_MASK = 0xffffff };
/* What is not known of JSC::BytecodeCacheError is not needed: zero says that there was none. */
typedef struct {
    u64 words[16];
} CacheError;
/* WTF::FileSystemImpl::FileHandle */
typedef struct {
    u64 words[4];
} FileHandle;

extern void jsc_file_init(FileHandle *self) JSC_SYMBOL("_ZN3WTF14FileSystemImpl10FileHandleC1Ev");
extern void jsc_file_deinit(FileHandle *self) JSC_SYMBOL("_ZN3WTF14FileSystemImpl10FileHandleD1Ev");
/* Compiles a program and all its functions. */
extern void jsc_generate(CachedCode **ret, void *vm, const SourceCode *source, FileHandle *file,
                         CacheError *ret_error)
    JSC_SYMBOL("_ZN3JSC23generateProgramBytecodeERNS_2VMERKNS_10SourceCodeERN3WTF14FileSystemImpl"
               "10FileHandleERNS_18BytecodeCacheErrorE");

static StaticProvider *of(const Provider *base)
{
    return (StaticProvider *)(uintptr_t)base;
}

static void provider_free(Provider *base)
{
    js_provider_deinit(base);
    mem_free(of(base));
}

/* Any number will do that is the same when the code is made and when it is used. */
static u32 provider_hash(const Provider *base)
{
    StaticProvider *self = of(base);
    if (self->state == TEXT_HIDDEN_FROM_HASH) self->state = TEXT_HIDDEN;
    return ((u32)self->text.n * 0x9e3779b1U >> 8 & HASH_MASK) | 1;
}

static View provider_source(const Provider *base)
{
    StaticProvider *self = of(base);
    bool is_hidden = self->state == TEXT_HIDDEN || self->state == TEXT_HIDDEN_ONCE;
    if (self->state == TEXT_HIDDEN_ONCE) self->state = TEXT_SHOWN;
    return (View){self->text.p, is_hidden ? 0 : (u32)self->text.n, true};
}

static void provider_cached(CachedCode **ret, const Provider *base)
{
    StaticProvider *self = of(base);
    *ret = NULL;
    if (!self->code) return;
    self->code->given.refs++;
    self->state = TEXT_HIDDEN_ONCE;
    *ret = &self->code->given;
}

static StaticProvider *provider_new(Str text, Str url)
{
    static ProviderKind kind = {.destroy = provider_free,
                                .hash = provider_hash,
                                .source = provider_source,
                                .cached = provider_cached};
    if (!js_provider_works() || !text.n || text.n > STATIC_LEN_MAX) return NULL;
    StaticProvider *p = MEM_NEW(StaticProvider);
    if (!js_provider_init(&p->base, &kind, url, S(""))) {
        mem_free(p);
        return NULL;
    }
    p->text = text;
    return p;
}

bool js_static_compile(Js *js, Str ascii, Buf *ret)
{
    StaticProvider *p = jsc_generate && jsc_file_init ? provider_new(ascii, S("")) : NULL;
    if (!p) return false;
    p->state = TEXT_HIDDEN_FROM_HASH;
    SourceCode all = {.provider = &p->base, .end = (i32)ascii.n};
    FileHandle none = {0};
    CacheError error = {0};
    CachedCode *made = NULL;
    jsc_file_init(&none);
    jsc_generate(&made, js->vm, &all, &none, &error);
    jsc_file_deinit(&none);
    bool ok = p->state == TEXT_HIDDEN && js_provider_take(made, ret);
    js_provider_unref(&p->base);
    return ok;
}

static StaticCode *keep_code(Js *js, Str code)
{
    StaticCode *c = ARENA_NEW(&js->arena, StaticCode);
    c->given = (CachedCode){.refs = 1, .size_for_update = code.n, .data = code.p, .size = code.n};
    c->next = js->static_codes;
    js->static_codes = c;
    return c;
}

JsVal js_static_eval(Js *js, Str ascii, Str url, Str code)
{
    StaticProvider *p = code.n ? provider_new(ascii, url) : NULL;
    if (!p) return js_eval_static(js, ascii, url, 1);
    p->code = keep_code(js, code);
    JsVal v = js_provider_eval(js, &p->base, (u32)ascii.n);
    js_provider_unref(&p->base);
    if (v && js_is_undefined(v)) return js_eval_static(js, ascii, url, 1);
    return v;
}

void js_static_deinit(Js *js)
{
    for (StaticCode *c = js->static_codes; c; c = c->next) {
        /* A table of the engine: what counts its entries stands in front of them. */
        if (c->given.leaves) jsc_fast_free((char *)c->given.leaves - TABLE_HEAD);
        c->given.leaves = NULL;
    }
    js->static_codes = NULL;
}
