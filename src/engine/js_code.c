/* engine/js_code.c -- compiled code that outlives the process (js.h, "Kept code").
 *
 * A text reaches the engine as a SourceProvider.  Ours is the library's with another table of
 * functions: it is asked for code before the text is parsed (`cached`), and told when the text had
 * to be compiled (`compiled`).  That call brings a closure that would encode the code at once; we
 * look into it for what to encode (the key, the code block) and do so later, when the functions
 * that the program uses are compiled, too. */
#include "engine/js_internal.h"

#include "engine/js_private.h"
#include "util/mem.h"

typedef struct Provider Provider;

/* WTF::StringView */
typedef struct {
    const void *chars;
    u32 len;
    bool is_latin1;
} View;

/* JSC::CachedBytecode.  Ours are never freed by the engine: one reference stays. */
typedef struct {
    u32 refs;
    usize size_for_update;
    const void *data;
    usize size;
    u8 payload_kind; /* 0: memory of the allocator */
    void *leaves, *updates;
    u64 n_updates;
} CachedCode;

/* JSC::SourceCodeKey */
typedef struct {
    const Provider *provider;
    i32 start, end;
    const void *name; /* of functions only */
    u32 flags;
    i32 parameters_end;
    u32 hash;
} CodeKey;

/* The closure given to `compiled`: what it refers to. */
typedef struct {
    const void *table;
    const void *vm;
    const CodeKey *key;
    const void *const *block;
} Generator;

enum { SLOT_HASH_LATER = 8, SLOT_LOCK, SLOT_UNLOCK, N_SLOTS };
typedef union {
    struct {
        void (*destroy)(Provider *self);
        void (*destroy_and_free)(Provider *self);
        u32 (*hash)(const Provider *self);
        View (*source)(const Provider *self);
        void (*cached)(CachedCode **ret, const Provider *self);
        void (*compiled)(const Provider *self, const Generator *const *generator);
    };
    const void *slots[N_SLOTS];
} Table;

/* JSC::SourceProvider, with our members behind it. */
struct Provider {
    const Table *table;
    u32 refs, locks;
    u64 words[14];
    JscStringImpl *text;
    JsCode *code; /* NULL once it was dropped */
};

struct JsCode {
    Js *js;
    Provider *provider; /* one reference is ours */
    CachedCode given;
    CodeKey key;
    JsVal block; /* protected; NULL: nothing was compiled */
};

/* JSC::SourceOrigin: a WTF::URL and who fetched it. */
typedef struct {
    JscStringImpl *string;
    u64 words[4];
    void *fetcher;
} Origin;
typedef struct {
    JscStringImpl *string;
    u64 words[4];
} Url;
typedef struct {
    Provider *provider;
    i32 start, end, line, column;
} SourceCode;

extern void jsc_provider_init(Provider *self, const Origin *origin, JscStringImpl **take_url,
                              JscStringImpl **take_first_url, u8 taint, const i32 *position,
                              u8 type)
    JSC_SYMBOL("_ZN3JSC14SourceProviderC2ERKNS_12SourceOriginEON3WTF6StringES6_NS_19SourceTainted"
               "OriginERKNS4_12TextPositionENS_24SourceProviderSourceTypeE");
extern void jsc_provider_deinit(Provider *self) JSC_SYMBOL("_ZN3JSC14SourceProviderD2Ev");
extern char jsc_provider_hash_later[] JSC_SYMBOL(
    "_ZN3JSC14SourceProvider25codeBlockHashConcurrentlyEiiNS_22CodeSpecializationKindE");
extern char jsc_provider_lock[] JSC_SYMBOL("_ZN3JSC14SourceProvider24lockUnderlyingBufferImplEv");
extern char
    jsc_provider_unlock[] JSC_SYMBOL("_ZN3JSC14SourceProvider26unlockUnderlyingBufferImplEv");
extern void jsc_url_clear(Url *url) JSC_SYMBOL("_ZN3WTF3URL10invalidateEv");
extern void jsc_url_init(Origin *url, const Url *base, JscStringImpl *const *text,
                         const void *encoding)
    JSC_SYMBOL("_ZN3WTF3URLC1ERKS0_RKNS_6StringEPKNS_15URLTextEncodingE");
extern u32 jsc_string_hash(const JscStringImpl *impl)
    JSC_SYMBOL("_ZNK3WTF10StringImpl12hashSlowCaseEv");
/* JSC::evaluate: fills *ret_exception with an Exception. */
extern u64 jsc_evaluate(void *global, const SourceCode *code, const void *self,
                        void **ret_exception)
    JSC_SYMBOL("_ZN3JSC8evaluateEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_7JSValueERN3WTF8NakedPtr"
               "INS_9ExceptionEEE");
extern void jsc_encode_block(CachedCode **ret, void *vm, const CodeKey *key, const void *block)
    JSC_SYMBOL("_ZN3JSC15encodeCodeBlockERNS_2VMERKNS_13SourceCodeKeyEPKNS_17UnlinkedCodeBlockE");
extern void jsc_free(void *p) JSC_SYMBOL("_ZN3WTF8fastFreeEPv");

enum { HASH_SHIFT = 8, EXCEPTION_VALUE = 1, LEN_MAX = 0x7fffffff };

bool js_code_works(void)
{
    return jsc.has_layout && jsc_provider_init && jsc_provider_deinit && jsc_url_clear &&
           jsc_url_init && jsc_string_hash && jsc_evaluate && jsc_encode_block && jsc_free;
}

/* ---- The provider's functions ------------------------------------------------------------------
 */

static void provider_free(Provider *self)
{
    JscStringImpl *text = self->text;
    /* Whoever reads code has a reference to it and to us. */
    if (self->code && self->code->given.refs == 1) mem_free(self->code);
    jsc_provider_deinit(self);
    js_drop_impl(text);
    mem_free(self);
}

static u32 provider_hash(const Provider *self)
{
    u32 hash = self->text->hash_and_flags >> HASH_SHIFT;
    return hash ? hash : jsc_string_hash(self->text);
}

static View provider_source(const Provider *self)
{
    const JscStringImpl *text = self->text;
    return (View){text->data, text->len, text->hash_and_flags & STRING_IS_8BIT};
}

static void provider_cached(CachedCode **ret, const Provider *self)
{
    *ret = NULL;
    if (!self->code || !self->code->given.size) return;
    self->code->given.refs++;
    *ret = &self->code->given;
}

static void provider_compiled(const Provider *self, const Generator *const *generator)
{
    JsCode *c = self->code;
    if (!c || c->block) return;
    const Generator *g = *generator;
    /* Another order of what is in the closure would show here. */
    if (g->vm != c->js->vm || g->key->provider != self || g->key->name) return;
    const char *name = js_private_class_name(*g->block);
    if (!name || !str_eq(str_z(name), S("UnlinkedProgramCodeBlock"))) return;
    c->key = *g->key;
    c->block = *g->block;
    JSValueProtect(c->js->ctx, js_ref_of(c->block));
}

/* NULL: the library's table is not the one we know. */
static const Table *table_of(const Provider *fresh)
{
    static Table table;
    static bool is_made;
    if (__atomic_load_n(&is_made, __ATOMIC_ACQUIRE)) return &table;
    const Table *base = fresh->table;
    if (base->slots[SLOT_HASH_LATER] != jsc_provider_hash_later ||
        base->slots[SLOT_LOCK] != jsc_provider_lock ||
        base->slots[SLOT_UNLOCK] != jsc_provider_unlock)
        return NULL;
    /* Whoever comes second writes the same. */
    table = *base;
    table.destroy = table.destroy_and_free = provider_free;
    table.hash = provider_hash;
    table.source = provider_source;
    table.cached = provider_cached;
    table.compiled = provider_compiled;
    __atomic_store_n(&is_made, true, __ATOMIC_RELEASE);
    return &table;
}

static Provider *provider_new(JscStringImpl *text, Str url)
{
    Provider *p = MEM_NEW(Provider);
    JscStringImpl *name = js_make_impl(url), *none = NULL;
    Url base = {0};
    jsc_url_clear(&base);
    Origin origin = {0};
    jsc_url_init(&origin, &base, &name, NULL);
    static const i32 start[2] = {0, 0};
    jsc_provider_init(p, &origin, &name, &none, 0, start, 0); /* takes the name */
    if (origin.string) js_drop_impl(origin.string);
    const Table *table = table_of(p);
    if (!table) {
        jsc_provider_deinit(p);
        mem_free(p);
        return NULL;
    }
    p->table = table;
    p->text = text;
    (void)__atomic_add_fetch(&text->ref_count, 2, __ATOMIC_RELAXED);
    return p;
}

static void provider_unref(Provider *p)
{
    if (__atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) == 0) provider_free(p);
}

/* ---- Public -------------------------------------------------------------------------------------
 */

JsVal js_code_eval(Js *js, JsVal source, Str url, Str code, JsCode **ret)
{
    *ret = NULL;
    JscStringImpl *text = jsc_string_impl(source);
    Provider *p = text && text->len < LEN_MAX ? provider_new(text, url) : NULL;
    if (!p) return js_eval_value(js, source, url, 1);
    JsCode *c = MEM_NEW(JsCode);
    c->js = js;
    c->provider = p;
    c->given = (CachedCode){.refs = 1, .size_for_update = code.n, .data = code.p, .size = code.n};
    p->code = c;
    SourceCode all = {.provider = p, .end = (i32)text->len};
    void *exception = NULL;
    u64 v = jsc_evaluate(js->ctx, &all, JS_UNDEFINED, &exception);
    *ret = c;
    if (exception) return js_set_pending(js, ((const JSValueRef *)exception)[EXCEPTION_VALUE]);
    return v ? js_from_bits(v) : JS_UNDEFINED;
}

bool js_code_is_new(const JsCode *c)
{
    return c->block != NULL;
}

JsChars js_code_text(const JsCode *c)
{
    View v = provider_source(c->provider);
    return (JsChars){.latin1 = v.chars, .len = v.len, .is_latin1 = v.is_latin1};
}

bool js_code_encode(Js *js, const JsCode *c, Buf *ret)
{
    if (!c->block) return false;
    CachedCode *made = NULL;
    jsc_encode_block(&made, js->vm, &c->key, c->block);
    if (!made) return false;
    bool ok = made->size && buf_push(ret, (Str){made->data, made->size});
    /* Its table of functions stays: some bytes a function, once a process. */
    if (made->refs == 1 && made->payload_kind == 0) {
        jsc_free((void *)(uintptr_t)made->data);
        jsc_free(made);
    }
    return ok;
}

void js_code_drop(Js *js, JsCode *c)
{
    if (!c) return;
    if (c->block) JSValueUnprotect(js->ctx, js_ref_of(c->block));
    c->block = NULL;
    Provider *p = c->provider;
    if (!c->given.size) {
        p->code = NULL;
        mem_free(c);
    }
    provider_unref(p); /* functions are read from what was given when they are first called */
}
