/* engine/js_provider.c -- making SourceProviders of the engine, and running them. */
#include "engine/js_provider.h"

#include <string.h>

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
/* JSC::evaluate: fills *ret_exception with an Exception. */
extern u64 jsc_evaluate(void *global, const SourceCode *code, const void *self,
                        void **ret_exception)
    JSC_SYMBOL("_ZN3JSC8evaluateEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_7JSValueERN3WTF8NakedPtr"
               "INS_9ExceptionEEE");
extern void jsc_free(void *p) JSC_SYMBOL("_ZN3WTF8fastFreeEPv");

enum { EXCEPTION_VALUE = 1 };

bool js_provider_works(void)
{
    return jsc.has_layout && jsc_provider_init && jsc_provider_deinit && jsc_url_clear &&
           jsc_url_init && jsc_evaluate && jsc_free;
}

static void construct(Provider *p, Str url, Str origin)
{
    Url base = {0};
    jsc_url_clear(&base);
    Origin from = {0};
    if (origin.n) {
        JscStringImpl *text = js_make_impl(origin);
        jsc_url_init(&from, &base, &text, NULL);
        js_drop_impl(text);
    } else {
        memcpy(&from, &base, sizeof(base));
    }
    JscStringImpl *name = js_make_impl(url), *none = NULL;
    static const i32 start[2] = {0, 0};
    jsc_provider_init(p, &from, &name, &none, 0, start, 0); /* takes the name */
    if (from.string) js_drop_impl(from.string);
}

void js_provider_deinit(Provider *p)
{
    jsc_provider_deinit(p);
}

static const Table *table_of(ProviderKind *kind, const Provider *fresh)
{
    if (__atomic_load_n(&kind->has_table, __ATOMIC_ACQUIRE)) return &kind->table;
    const Table *base = fresh->table;
    if (base->slots[SLOT_HASH_LATER] != jsc_provider_hash_later ||
        base->slots[SLOT_LOCK] != jsc_provider_lock ||
        base->slots[SLOT_UNLOCK] != jsc_provider_unlock)
        return NULL;
    /* Whoever comes second writes the same. */
    Table *t = &kind->table;
    *t = *base;
    t->destroy = t->destroy_and_free = kind->destroy;
    t->hash = kind->hash;
    t->source = kind->source;
    t->cached = kind->cached;
    if (kind->compiled) t->compiled = kind->compiled;
    __atomic_store_n(&kind->has_table, true, __ATOMIC_RELEASE);
    return t;
}

bool js_provider_init(Provider *p, ProviderKind *kind, Str url, Str origin)
{
    construct(p, url, origin);
    const Table *table = table_of(kind, p);
    if (table)
        p->table = table;
    else
        js_provider_deinit(p);
    return table;
}

void js_provider_unref(Provider *p)
{
    if (__atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) == 0) p->table->destroy_and_free(p);
}

JsVal js_provider_eval(Js *js, Provider *p, u32 len)
{
    SourceCode all = {.provider = p, .end = (i32)len};
    void *exception = NULL;
    u64 v = jsc_evaluate(js->ctx, &all, JS_UNDEFINED, &exception);
    if (exception) return js_set_pending(js, ((const JSValueRef *)exception)[EXCEPTION_VALUE]);
    return v ? js_from_bits(v) : JS_UNDEFINED;
}

bool js_provider_take(CachedCode *made, Buf *ret)
{
    if (!made) return false;
    bool ok = made->size && buf_push(ret, (Str){made->data, made->size});
    /* Its table of functions stays: some bytes a function, once a process. */
    if (made->refs == 1 && made->payload_kind == 0) {
        jsc_free((void *)(uintptr_t)made->data);
        jsc_free(made);
    }
    return ok;
}
