/* engine/js_provider.h -- the engine's SourceProvider, which it gets texts and kept code from; for
 * js_code.c and js_static.c.
 *
 * A provider of ours is built by the library's constructor and gets a copy of its table of
 * functions with some entries replaced. */
#pragma once

#include "engine/js_internal.h"

#include "engine/js_private.h"

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

/* JSC::SourceProvider; members of ours follow it. */
struct Provider {
    const Table *table;
    u32 refs, locks;
    u64 words[14];
};

/* JSC::SourceCode */
typedef struct {
    Provider *provider;
    i32 start, end, line, column;
} SourceCode;

/* What providers of one kind do; `table` is made when the first is.  `compiled` may be NULL. */
typedef struct {
    void (*destroy)(Provider *self);
    u32 (*hash)(const Provider *self);
    View (*source)(const Provider *self);
    void (*cached)(CachedCode **ret, const Provider *self);
    void (*compiled)(const Provider *self, const Generator *const *generator);
    Table table;
    bool has_table;
} ProviderKind;

/* Does the library have what is needed here? */
bool js_provider_works(void);
/* Builds a provider in `p`, with one reference.  `origin` is its address for imports.  false: the
 * library's table is not the one we know; nothing was built. */
NODISCARD bool js_provider_init(Provider *p, ProviderKind *kind, Str url, Str origin);
void js_provider_deinit(Provider *p);
void js_provider_unref(Provider *p);
/* Runs a program from its first line on.  NULL: it threw. */
JsVal js_provider_eval(Js *js, Provider *p, u32 len);
/* The bytes go to `ret`, the object is freed. */
bool js_provider_take(CachedCode *made, Buf *ret);
