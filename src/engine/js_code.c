/* engine/js_code.c -- compiled code that outlives the process (js.h, "Kept code").
 *
 * A text reaches the engine as a SourceProvider.  Ours is the library's with another table of
 * functions: it is asked for code before the text is parsed (`cached`), and told when the text had
 * to be compiled (`compiled`).  That call brings a closure that would encode the code at once; we
 * look into it for what to encode (the key, the code block) and do so later, when the functions
 * that the program uses are compiled, too. */
#include "engine/js_provider.h"

#include "util/mem.h"

typedef struct {
    Provider base;
    JscStringImpl *text;
    JsCode *code; /* NULL once it was dropped */
} TextProvider;

struct JsCode {
    Js *js;
    TextProvider *provider; /* one reference is ours */
    CachedCode given;
    CodeKey key;
    JsVal block; /* protected; NULL: nothing was compiled */
};

enum { HASH_SHIFT = 8, LEN_MAX = 0x7fffffff };

extern u32 jsc_string_hash(const JscStringImpl *impl)
    JSC_SYMBOL("_ZNK3WTF10StringImpl12hashSlowCaseEv");
extern void jsc_encode_block(CachedCode **ret, void *vm, const CodeKey *key, const void *block)
    JSC_SYMBOL("_ZN3JSC15encodeCodeBlockERNS_2VMERKNS_13SourceCodeKeyEPKNS_17UnlinkedCodeBlockE");

bool js_code_works(void)
{
    return js_provider_works() && jsc_string_hash && jsc_encode_block;
}

/* ---- The provider's functions ------------------------------------------------------------------
 */

static void provider_free(Provider *base)
{
    TextProvider *self = CONTAINER(TextProvider, base, base);
    JscStringImpl *text = self->text;
    /* Whoever reads code has a reference to it and to us. */
    if (self->code && self->code->given.refs == 1) mem_free(self->code);
    js_provider_deinit(base);
    js_drop_impl(text);
    mem_free(self);
}

static const TextProvider *of(const Provider *base)
{
    return (const TextProvider *)base;
}

static u32 provider_hash(const Provider *base)
{
    const TextProvider *self = of(base);
    u32 hash = self->text->hash_and_flags >> HASH_SHIFT;
    return hash ? hash : jsc_string_hash(self->text);
}

static View provider_source(const Provider *base)
{
    const JscStringImpl *text = of(base)->text;
    return (View){text->data, text->len, text->hash_and_flags & STRING_IS_8BIT};
}

static void provider_cached(CachedCode **ret, const Provider *base)
{
    JsCode *code = of(base)->code;
    *ret = NULL;
    if (!code || !code->given.size) return;
    code->given.refs++;
    *ret = &code->given;
}

static void provider_compiled(const Provider *base, const Generator *const *generator)
{
    JsCode *c = of(base)->code;
    if (!c || c->block) return;
    const Generator *g = *generator;
    /* Another order of what is in the closure would show here. */
    if (g->vm != c->js->vm || g->key->provider != base || g->key->name) return;
    const char *name = js_private_class_name(*g->block);
    if (!name || !str_eq(str_z(name), S("UnlinkedProgramCodeBlock"))) return;
    c->key = *g->key;
    c->block = *g->block;
    JSValueProtect(c->js->ctx, js_ref_of(c->block));
}

/* NULL: the library's table is not the one we know. */
static TextProvider *provider_new(JscStringImpl *text, Str url)
{
    static ProviderKind kind = {.destroy = provider_free,
                                .hash = provider_hash,
                                .source = provider_source,
                                .cached = provider_cached,
                                .compiled = provider_compiled};
    TextProvider *p = MEM_NEW(TextProvider);
    if (!js_provider_init(&p->base, &kind, url, url)) {
        mem_free(p);
        return NULL;
    }
    p->text = text;
    (void)__atomic_add_fetch(&text->ref_count, 2, __ATOMIC_RELAXED);
    return p;
}

/* ---- Public -------------------------------------------------------------------------------------
 */

JsVal js_code_eval(Js *js, JsVal source, Str url, Str code, JsCode **ret)
{
    *ret = NULL;
    JscStringImpl *text = jsc_string_impl(source);
    TextProvider *p = text && text->len < LEN_MAX ? provider_new(text, url) : NULL;
    if (!p) return js_eval_value(js, source, url, 1);
    JsCode *c = MEM_NEW(JsCode);
    c->js = js;
    c->provider = p;
    c->given = (CachedCode){.refs = 1, .size_for_update = code.n, .data = code.p, .size = code.n};
    p->code = c;
    *ret = c;
    return js_provider_eval(js, &p->base, text->len);
}

bool js_code_is_new(const JsCode *c)
{
    return c->block != NULL;
}

JsChars js_code_text(const JsCode *c)
{
    View v = provider_source(&c->provider->base);
    return (JsChars){.latin1 = v.chars, .len = v.len, .is_latin1 = v.is_latin1};
}

bool js_code_encode(Js *js, const JsCode *c, Buf *ret)
{
    if (!c->block) return false;
    CachedCode *made = NULL;
    jsc_encode_block(&made, js->vm, &c->key, c->block);
    return js_provider_take(made, ret);
}

void js_code_drop(Js *js, JsCode *c)
{
    if (!c) return;
    if (c->block) JSValueUnprotect(js->ctx, js_ref_of(c->block));
    c->block = NULL;
    TextProvider *p = c->provider;
    if (!c->given.size) {
        p->code = NULL;
        mem_free(c);
    }
    /* Functions are read from what was given when they are first called. */
    js_provider_unref(&p->base);
}
