/* runtime/modules_kept.c -- what the fast path made of a file, kept with the compiled program
 * (vm_code.c): a file with the same text and options need not be parsed again.
 *
 * As bytes: the options; flags; requests, imports, exports; the text that runs, unless it is the
 * file's.  Numbers are 32 bits of the machine's order, a string is its length and its bytes. */
#include "runtime/modules.h"

#include <string.h>

enum {
    KEPT_IS_MODULE = 1,
    KEPT_HAS_AWAIT = 2,
    KEPT_USES_META = 4,
    KEPT_USES_IMPORT = 8,
    KEPT_NAMES_DEFAULT = 16,
    KEPT_IS_EDITED = 32,
};

/* All that decides what the fast path makes of a text. */
static u32 signature(const ParseOptions *o, bool is_verbatim)
{
    return (u32)o->goal | (o->ts ? 1U << 8 : 0) | (o->jsx ? 1U << 9 : 0) |
           (o->ambiguous_lt ? 1U << 10 : 0) | (o->declaration ? 1U << 11 : 0) |
           (o->keep_param_types ? 1U << 12 : 0) | (is_verbatim ? 1U << 13 : 0);
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static void put(Buf *b, u32 n)
{
    (void)buf_push(b, (Str){(const char *)&n, sizeof(n)});
}

static void put_str(Buf *b, Str s)
{
    put(b, (u32)s.n);
    (void)buf_push(b, s);
}

static u32 flags_of(const VmModule *m)
{
    const ModuleInfo *i = &m->info;
    return (i->is_module ? KEPT_IS_MODULE : 0U) | (i->has_await ? KEPT_HAS_AWAIT : 0U) |
           (i->uses_meta ? KEPT_USES_META : 0U) | (i->uses_dynamic_import ? KEPT_USES_IMPORT : 0U) |
           (i->names_default ? KEPT_NAMES_DEFAULT : 0U) |
           (m->text.p != m->source.p ? KEPT_IS_EDITED : 0U);
}

/* VmWriteKept */
static bool write_module(void *ctx, Buf *b)
{
    const VmModule *m = ctx;
    const ModuleInfo *info = &m->info;
    if (m->full) return false; /* the linker wanted more */
    put(b, m->kept_signature);
    put(b, flags_of(m));
    put(b, info->requests.len);
    put(b, info->imports.len);
    put(b, info->exports.len);
    for (u32 i = 0; i < info->requests.len; i++) {
        const ModuleRequest *r = &info->requests.at[i];
        put_str(b, r->specifier);
        put_str(b, r->attr_type);
        put(b, (u32)r->phase);
        put(b, r->pos);
    }
    for (u32 i = 0; i < info->imports.len; i++) {
        const ModuleImport *im = &info->imports.at[i];
        put(b, im->request);
        put(b, im->is_namespace);
        put_str(b, im->imported);
        put_str(b, im->local);
        put(b, im->pos);
    }
    for (u32 i = 0; i < info->exports.len; i++) {
        const ModuleExport *e = &info->exports.at[i];
        put(b, (u32)e->kind);
        put(b, e->constant);
        put_str(b, e->name);
        put_str(b, e->local);
        put(b, e->request);
        put(b, e->pos);
    }
    if (m->text.p != m->source.p) (void)buf_push(b, m->text);
    return true;
}

/* ---- Reading -----------------------------------------------------------------------------------
 */

typedef struct {
    Str left;
    bool is_bad;
} Reader;

static u32 get(Reader *r)
{
    u32 n = 0;
    if (r->left.n < sizeof(n)) {
        r->is_bad = true;
        return 0;
    }
    memcpy(&n, r->left.p, sizeof(n));
    r->left = str_skip(r->left, sizeof(n));
    return n;
}

static Str get_str(Reader *r)
{
    u32 n = get(r);
    if (r->left.n < n) {
        r->is_bad = true;
        return S("");
    }
    Str s = {r->left.p, n};
    r->left = str_skip(r->left, n);
    return s;
}

static void read_requests(Arena *a, Reader *r, ModuleInfo *info, u32 n)
{
    for (u32 i = 0; i < n && !r->is_bad; i++) {
        ModuleRequest q = {.specifier = get_str(r), .attr_type = get_str(r)};
        q.phase = (ImportPhase)get(r);
        q.pos = get(r);
        vec_push(a, &info->requests, q);
    }
}

static void read_imports(Arena *a, Reader *r, ModuleInfo *info, u32 n)
{
    for (u32 i = 0; i < n && !r->is_bad; i++) {
        ModuleImport im = {.request = get(r)};
        im.is_namespace = get(r) != 0;
        im.imported = get_str(r);
        im.local = get_str(r);
        im.pos = get(r);
        if (im.request >= info->requests.len) r->is_bad = true;
        vec_push(a, &info->imports, im);
    }
}

static void read_exports(Arena *a, Reader *r, ModuleInfo *info, u32 n)
{
    for (u32 i = 0; i < n && !r->is_bad; i++) {
        ModuleExport e = {.kind = (ExportKind)get(r)};
        e.constant = get(r) != 0;
        e.name = get_str(r);
        e.local = get_str(r);
        e.request = get(r);
        e.pos = get(r);
        if (e.kind != EXPORT_LOCAL && e.request >= info->requests.len) r->is_bad = true;
        vec_push(a, &info->exports, e);
    }
}

static bool read_module(VmModule *m, Str bytes)
{
    Reader r = {.left = bytes};
    ModuleInfo info = {0};
    if (get(&r) != m->kept_signature) return false;
    u32 flags = get(&r), n_requests = get(&r), n_imports = get(&r), n_exports = get(&r);
    read_requests(&m->arena, &r, &info, n_requests);
    read_imports(&m->arena, &r, &info, n_imports);
    read_exports(&m->arena, &r, &info, n_exports);
    if (r.is_bad) return false;
    info.is_module = flags & KEPT_IS_MODULE;
    info.has_await = flags & KEPT_HAS_AWAIT;
    info.uses_meta = flags & KEPT_USES_META;
    info.uses_dynamic_import = flags & KEPT_USES_IMPORT;
    info.names_default = flags & KEPT_NAMES_DEFAULT;
    m->info = info;
    m->text = flags & KEPT_IS_EDITED ? r.left : m->source;
    return true;
}

/* ---- Public ------------------------------------------------------------------------------------
 */

/* A text that a program or its hooks have made is of one run. */
static bool is_kept(const VmModule *m)
{
    return m->vm->code && !m->is_hooked && str_starts(m->path, S("/"));
}

bool module_find_kept(VmModule *m, const ParseOptions *options, bool is_verbatim)
{
    Str bytes;
    m->kept_signature = signature(options, is_verbatim);
    if (!is_kept(m) || !vm_code_find_parsed(m->vm, m->path, m->source, &bytes)) return false;
    return read_module(m, bytes);
}

void module_keep(VmModule *m)
{
    if (is_kept(m)) vm_code_keep_parsed(m->vm, m->path, m->source, write_module, m);
}
