/* syntax/strip.c -- the fast path (see strip.h): collects edits while parsing, then applies them.
 *
 * Nodes live as long as their top-level statement; only import and export statements are kept.
 * Whether an import is used as a value is judged by name, without scopes; when the name is also
 * declared in the file the judgement could be wrong, and the full path takes over. */
#include "syntax/strip.h"

#include "syntax/edits.h"
#include "syntax/macro.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

/* What stands in the place of imports and exports; known by its address. */
static const char module_gap[] = ";";

void strip_erase_slow(Parser *p, u32 from, u32 to, const char *text)
{
    if (p->l.dead) return;
    vec_push(p->strip->arena, &p->strip->edits, (Edit){from, to, text});
}

void strip_refuse_slow(Parser *p, const char *reason)
{
    if (!p->strip->reason) p->strip->reason = reason;
}

void strip_name_slow(Parser *p, Atom name, u8 bits)
{
    Strip *s = p->strip;
    if (name >= s->names.len) {
        u32 want = MAX(name + 1, p->l.atoms->cap);
        vec_reserve(s->arena, &s->names, want);
        memset(s->names.at + s->names.len, 0, want - s->names.len);
        s->names.len = want;
    }
    s->names.at[name] |= bits;
}

static u8 name_bits(const Strip *s, Atom name)
{
    return name < s->names.len ? s->names.at[name] : 0;
}

/* ---- Statements ---- */

void strip_statement(Parser *p, NodeId id, u32 pos, u32 mark)
{
    if (p->l.dead || p->type_depth) return;
    Strip *s = p->strip;
    NodeKind kind = id ? KIND(p, id) : NODE_TYPE_DECL;
    switch (kind) {
    case NODE_TYPE_DECL:
        if (id) note_name(p, ast_node(p->ast, id)->a, NAME_TYPE);
        /* Whatever was noted inside goes with the whole.  The semicolon ends the statement before,
         * which may have counted on this one to do so. */
        s->edits.len = mark;
        erase_with(p, pos, p->l.prev_end, s->any_statement ? ";" : NULL);
        break;
    case NODE_ENUM: refuse(p, "enum"); break;
    case NODE_NAMESPACE: refuse(p, "namespace"); break;
    case NODE_IMPORT_EQUALS: refuse(p, "import ="); break;
    case NODE_EXPORT_ASSIGN: refuse(p, "export ="); break;
    default: s->any_statement = true;
    }
}

static void note_pattern(Parser *p, NodeId id, bool constant)
{
    const Node *n = ast_node(p->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: {
        Str name = atom_str(p->l.atoms, n->a);
        module_add_local(p->arena, &p->strip->info, name, name, constant, n->pos);
        break;
    }
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(p->ast, list); i++) {
            note_pattern(p, ast_at(p->ast, list, i), constant);
        }
        break;
    case NODE_PROP: note_pattern(p, n->b, constant); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: note_pattern(p, n->a, constant); break;
    default: break;
    }
}

static void strip_export_decl(Parser *p, const Node *n)
{
    const Node *d = ast_node(p->ast, n->a);
    if (d->kind >= NODE_ENUM) {
        refuse(p, d->kind == NODE_IMPORT_EQUALS ? "import =" : "enum or namespace");
        return;
    }
    if (d->kind == NODE_VAR) {
        for (u32 i = 0; i < ast_len(p->ast, d->a); i++) {
            note_pattern(p, ast_node(p->ast, ast_at(p->ast, d->a, i))->a, d->op == VAR_CONST);
        }
    } else {
        note_pattern(p, ast_node(p->ast, d->a)->a, false);
    }
    if (!str_starts(str_skip(p->l.source->text, n->pos), S("export"))) refuse(p, "export");
    erase(p, n->pos, n->pos + 6);
}

/* `export default function () {}`: puts a name behind `function`.  The words in front of it leave
 * room enough.  Returns the text for the edit, and where it ends. */
static const char *name_function(Parser *p, u32 *ret_end)
{
    const char *q = p->l.src + p->strip->default_end;
    while (IS_CLASS(*q, CC_SPACE)) q++;
    bool async = str_starts((Str){q, (usize)(p->l.end - q)}, S("async"));
    if (async) q += 5;
    while (IS_CLASS(*q, CC_SPACE)) q++;
    if (!str_starts((Str){q, (usize)(p->l.end - q)}, S("function"))) return NULL;
    q += 8;
    const char *after = q;
    while (IS_CLASS(*q, CC_SPACE)) q++;
    bool star = *q == '*';
    *ret_end = (u32)((star ? q + 1 : after) - p->l.src);
    Str name = p->strip->opt->names.default_;
    return str_fmt(p->arena, "%sfunction%s %.*s%c", async ? "async " : "", star ? "*" : "",
                   STR_ARG(name), 0)
        .p;
}

static bool is_anonymous(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    if (n->kind == NODE_ARROW) return true;
    return (n->kind == NODE_FUNC || n->kind == NODE_CLASS) && !n->a;
}

static void strip_export_default(Parser *p, const Node *n)
{
    Strip *s = p->strip;
    Str local = s->opt->names.default_;
    const Node *v = ast_node(p->ast, n->a);
    bool decl = v->kind == NODE_FUNC_DECL || v->kind == NODE_CLASS_DECL;
    NodeId name = decl ? ast_node(p->ast, v->a)->a : 0;
    if (s->default_end - n->pos < 14) refuse(p, "export default");
    if (name) {
        module_add_local(p->arena, &s->info, S("default"),
                         atom_str(p->l.atoms, ast_node(p->ast, name)->a), false, n->pos);
        erase(p, n->pos, s->default_end);
        return;
    }
    if (v->kind == NODE_IDENT) s->default_name = v->a;
    module_add_local(p->arena, &s->info, S("default"), local, true, n->pos);
    s->info.names_default |= is_anonymous(p, decl ? v->a : n->a);
    if (v->kind == NODE_FUNC_DECL) {
        u32 end = 0;
        const char *text = name_function(p, &end);
        if (text)
            erase_with(p, n->pos, end, text);
        else
            refuse(p, "export default function");
        return;
    }
    const char *text = str_fmt(p->arena, "let %.*s=%c", STR_ARG(local), 0).p;
    if (local.n > 8) refuse(p, "export default");
    erase_with(p, n->pos, s->default_end, text);
    bool is_class = v->kind == NODE_CLASS_DECL || v->kind == NODE_CLASS;
    if (!is_anonymous(p, is_class && decl ? v->a : n->a)) return;
    Str rest = {p->l.src + n->pos, p->l.prev_end - n->pos};
    if (is_class && str_find_str(rest, S("static")) >= 0)
        refuse(p, "static parts of a class that is called default");
    const char *naming =
        str_fmt(p->arena, ";%.*s.n(()=>%.*s);%c", STR_ARG(s->opt->names.cob), STR_ARG(local), 0).p;
    erase_with(p, p->l.prev_end, p->l.prev_end, naming);
}

void strip_top_statement(Parser *p, NodeId id, u32 pos)
{
    Strip *s = p->strip;
    if (p->l.dead || s->reason) return;
    if (!s->n_nodes_kept) s->n_nodes_kept = s->n_extra_kept = 1; /* id 0 is "none" */
    const Node n = id ? *ast_node(p->ast, id) : (Node){0};
    if (n.kind == NODE_IMPORT && n.c && macro_is_import(p->ast, &n)) refuse(p, "macro");
    switch (n.kind) {
    case NODE_IMPORT:
    case NODE_EXPORT:
    case NODE_EXPORT_ALL:
        erase_with(p, pos, p->l.prev_end, module_gap);
        vec_push(s->arena, &s->module_stmts, id);
        s->n_nodes_kept = p->ast->n_nodes;
        s->n_extra_kept = p->ast->n_extra;
        return;
    case NODE_EXPORT_DECL: strip_export_decl(p, &n); break;
    case NODE_EXPORT_DEFAULT: strip_export_default(p, &n); break;
    default: break;
    }
    p->ast->n_nodes = s->n_nodes_kept;
    p->ast->n_extra = s->n_extra_kept;
}

/* ---- Imports and exports, at the end ---- */

typedef struct {
    Parser *p;
    bool any;
} Keeps;

/* A name may also be written with escapes: then the answer is yes. */
static bool may_have_name(Str text, Str name)
{
    if (str_find(text, '\\') >= 0) return true;
    for (i64 at = 0, k; (k = str_find_str(str_skip(text, (usize)at), name)) >= 0; at += k + 1) {
        const char *p = text.p + at + k;
        bool begins = at + k == 0 || !IS_CLASS(p[-1], CC_ID_PART);
        if (begins && !IS_CLASS(p[name.n], CC_ID_PART)) return true;
    }
    return false;
}

/* Is the name in what is erased, other than imports and exports?  That is asked for few names; when
 * it is asked too often the answer is yes. */
static bool may_be_in_type(Parser *p, Str name)
{
    Strip *s = p->strip;
    if (s->reason) return false;
    for (u32 i = 0; i < s->edits.len; i++) {
        Edit e = s->edits.at[i];
        if (e.text == module_gap) continue;
        s->n_searched += e.to - e.from + 64;
        if (s->n_searched > 16 * (p->l.source->text.n + 4096)) return true;
        if (may_have_name((Str){p->l.src + e.from, e.to - e.from}, name)) return true;
    }
    return false;
}

static bool is_used_import(void *ctx, NodeId local)
{
    Keeps *k = ctx;
    Parser *p = k->p;
    if (!p->ts || p->strip->opt->verbatim_imports) return true;
    u8 bits = name_bits(p->strip, ast_node(p->ast, local)->a);
    if ((bits & NAME_BOUND) && may_be_in_type(p, atom_str(p->l.atoms, ast_node(p->ast, local)->a)))
        refuse(p, "an import shares its name with a local variable");
    k->any |= (bits & NAME_VALUE) != 0;
    return bits & NAME_VALUE;
}

static void finish_import(Parser *p, NodeId id)
{
    const Node n = *ast_node(p->ast, id);
    if (n.flags & NF_TYPE_ONLY) return;
    Keeps k = {.p = p};
    if (p->ts && !p->strip->opt->verbatim_imports) {
        u32 len = ast_len(p->ast, n.a);
        Str head = {p->l.src + n.pos, ast_node(p->ast, n.b)->pos - n.pos};
        if (!len && str_find(head, '{') >= 0) return;
        for (u32 i = 0; i < len; i++) {
            const Node *s = ast_node(p->ast, ast_at(p->ast, n.a, i));
            if (!(s->flags & NF_TYPE_ONLY)) (void)is_used_import(&k, s->b);
        }
        if (len && !k.any) return;
    }
    module_add_import(p->arena, &p->strip->info, p->ast, id, is_used_import, &k);
}

static bool is_import_local(const ModuleInfo *m, Str name)
{
    for (u32 i = 0; i < m->imports.len; i++)
        if (str_eq(m->imports.at[i].local, name)) return true;
    return false;
}

static void finish_export_spec(Parser *p, const Node *list, NodeId id)
{
    ModuleInfo *m = &p->strip->info;
    const Node s = *ast_node(p->ast, id);
    if (s.flags & NF_TYPE_ONLY) return;
    Str local = atom_str(p->l.atoms, ast_node(p->ast, s.a)->a);
    Str name = atom_str(p->l.atoms, ast_node(p->ast, s.b)->a);
    if (list->b) {
        ModuleExport e = {.kind = EXPORT_INDIRECT, .name = name, .local = local, .pos = s.pos};
        e.request = module_request(p->arena, m, p->ast, list->b, list->c, PHASE_EVALUATION);
        vec_push(p->arena, &m->exports, e);
        return;
    }
    u8 bits = name_bits(p->strip, ast_node(p->ast, s.a)->a);
    if (p->ts && (bits & NAME_TYPE)) refuse(p, "an exported name is a type");
    if (!(bits & NAME_BOUND) && !is_import_local(m, local)) {
        /* TypeScript: a type.  JavaScript: an error that the full path reports. */
        if (!p->ts) refuse(p, "an exported name is not declared");
        return;
    }
    module_add_local(p->arena, m, name, local, false, s.pos);
}

/* `export { type A } from "x"`: nothing of the module is wanted. */
static bool is_all_types(const Parser *p, const Node *n)
{
    u32 len = ast_len(p->ast, n->a);
    for (u32 i = 0; i < len; i++) {
        if (!(ast_node(p->ast, ast_at(p->ast, n->a, i))->flags & NF_TYPE_ONLY)) return false;
    }
    return len > 0;
}

static void finish_export(Parser *p, NodeId id)
{
    const Node n = *ast_node(p->ast, id);
    if ((n.flags & NF_TYPE_ONLY) || is_all_types(p, &n)) return;
    if (n.b) (void)module_request(p->arena, &p->strip->info, p->ast, n.b, n.c, PHASE_EVALUATION);
    for (u32 i = 0; i < ast_len(p->ast, n.a); i++)
        finish_export_spec(p, &n, ast_at(p->ast, n.a, i));
}

/* An exported variable that nothing assigns is constant. */
static void mark_constants(Parser *p)
{
    ModuleInfo *m = &p->strip->info;
    for (u32 i = 0; i < m->exports.len; i++) {
        ModuleExport *e = &m->exports.at[i];
        if (e->kind != EXPORT_LOCAL || e->constant) continue;
        Atom name = intern_find(p->l.atoms, e->local);
        e->constant = !(name_bits(p->strip, name) & NAME_ASSIGNED);
    }
}

/* Exporting a name is a use of it. */
static void note_exported_names(Parser *p)
{
    Strip *s = p->strip;
    for (u32 i = 0; i < s->module_stmts.len; i++) {
        const Node n = *ast_node(p->ast, s->module_stmts.at[i]);
        if (n.kind != NODE_EXPORT || n.b || (n.flags & NF_TYPE_ONLY)) continue;
        for (u32 k = 0; k < ast_len(p->ast, n.a); k++) {
            const Node *spec = ast_node(p->ast, ast_at(p->ast, n.a, k));
            if (!(spec->flags & NF_TYPE_ONLY))
                note_name(p, ast_node(p->ast, spec->a)->a, NAME_VALUE);
        }
    }
}

/* `export default T` exports nothing when T is a type. */
static void check_default_name(Parser *p)
{
    Strip *s = p->strip;
    if (!s->default_name || !p->ts) return;
    u8 bits = name_bits(s, s->default_name);
    bool import = is_import_local(&s->info, atom_str(p->l.atoms, s->default_name));
    if ((bits & NAME_TYPE) || (!(bits & NAME_BOUND) && !import))
        refuse(p, "the default export may be a type");
}

static int by_source(const void *x, const void *y)
{
    const ModuleExport *a = x, *b = y;
    return a->pos < b->pos ? -1 : a->pos > b->pos;
}

static void finish_module(Parser *p)
{
    Strip *s = p->strip;
    note_exported_names(p);
    /* Imports first: exports of imported names depend on them; requests keep source order. */
    for (u32 i = 0; i < s->module_stmts.len; i++) {
        NodeId id = s->module_stmts.at[i];
        NodeKind kind = KIND(p, id);
        if (kind == NODE_IMPORT)
            finish_import(p, id);
        else if (kind == NODE_EXPORT_ALL && !(ast_node(p->ast, id)->flags & NF_TYPE_ONLY))
            module_add_export_all(p->arena, &s->info, p->ast, id);
        else if (kind == NODE_EXPORT && ast_node(p->ast, id)->b)
            finish_export(p, id);
    }
    for (u32 i = 0; i < s->module_stmts.len; i++) {
        NodeId id = s->module_stmts.at[i];
        if (KIND(p, id) == NODE_EXPORT && !ast_node(p->ast, id)->b) finish_export(p, id);
    }
    bool has_default = false;
    for (u32 i = 0; i < s->info.exports.len; i++) {
        has_default |= str_eq(s->info.exports.at[i].local, s->opt->names.default_);
    }
    if (has_default && intern_find(p->l.atoms, s->opt->names.default_))
        refuse(p, "a reserved name");
    check_default_name(p);
    mark_constants(p);
    if (s->info.exports.len > 1) {
        qsort(s->info.exports.at, s->info.exports.len, sizeof(ModuleExport), by_source);
    }
    module_finish(p->arena, &s->info);
    s->info.is_module = p->ast->is_module;
    s->info.has_await = p->ast->has_top_await;
    s->info.uses_dynamic_import = p->ast->has_dynamic_import;
}

/* ---- Applying the edits ---- */

static int by_position(const void *x, const void *y)
{
    const Edit *a = x, *b = y;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* Few are out of place, and not far: insertion, as long as that goes well. */
static void sort_edits(Strip *s)
{
    Edit *at = s->edits.at;
    usize budget = (usize)s->edits.len * 8;
    for (u32 i = 1; i < s->edits.len; i++) {
        Edit e = at[i];
        u32 k = i;
        for (; k > 0 && by_position(&at[k - 1], &e) > 0 && budget; k--, budget--) at[k] = at[k - 1];
        at[k] = e;
        if (budget) continue;
        qsort(at, s->edits.len, sizeof(Edit), by_position);
        return;
    }
}

/* Spaces for every character, as UTF-16 counts them; line ends stay. */
static char *blank_wide(char *out, const char **ret_p)
{
    u32 n, cp = utf8_read(*ret_p, &n);
    if (cp == 0x2028 || cp == 0x2029) {
        memcpy(out, *ret_p, n);
        out += n;
    } else {
        *out++ = ' ';
        if (cp > 0xffff) *out++ = ' ';
    }
    *ret_p += n;
    return out;
}

/* The first of `end - p` bytes, as far as they are ASCII without carriage returns, by the 64.
 * Returns how many. */
static usize blank_many(char *out, const char *p, const char *end)
{
    const __m128i space = _mm_set1_epi8(' '), line = _mm_set1_epi8('\n');
    usize n = 0;
    for (; (usize)(end - p) - n >= 64; n += 64) {
        __m128i odd = _mm_setzero_si128();
        for (usize i = n; i < n + 64; i += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
            __m128i gap = _mm_and_si128(_mm_cmpeq_epi8(v, line), _mm_set1_epi8(' ' ^ '\n'));
            _mm_storeu_si128((__m128i *)(void *)(out + i), _mm_xor_si128(gap, space));
            odd = _mm_or_si128(odd, _mm_or_si128(v, _mm_cmpeq_epi8(v, _mm_set1_epi8('\r'))));
        }
        if (_mm_movemask_epi8(odd)) break;
    }
    return n;
}

/* Any text, 16 bytes at a time.  Both sides have room for 16 bytes more. */
static char *blank_few(char *out, const char **ret_p, const char *end)
{
    const __m128i space = _mm_set1_epi8(' ');
    const char *p = *ret_p;
    while (p < end) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i line = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')),
                                    _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
        __m128i kept = _mm_or_si128(_mm_and_si128(line, v), _mm_andnot_si128(line, space));
        u32 wide = (u32)_mm_movemask_epi8(v);
        u32 n = wide ? (u32)__builtin_ctz(wide) : 16;
        n = MIN(n, (u32)MIN(end - p, (ptrdiff_t)16));
        _mm_storeu_si128((__m128i *)(void *)out, kept);
        out += n;
        p += n;
        if (p < end && (u8)*p >= 0x80) out = blank_wide(out, &p);
    }
    *ret_p = p;
    return out;
}

static char *blank(char *out, const char *p, const char *end)
{
    while (p < end) {
        usize n = blank_many(out, p, end);
        out += n;
        p += n;
        out = blank_few(out, &p, p + MIN(end - p, (ptrdiff_t)64));
    }
    return out;
}

static Str apply(const Source *source, Strip *s, Arena *arena)
{
    Str src = source->text;
    sort_edits(s);
    usize extra = LEX_PADDING;
    for (u32 i = 0; i < s->edits.len; i++) {
        if (s->edits.at[i].text) extra += strlen(s->edits.at[i].text);
    }
    char *out = arena_alloc_dirty(arena, src.n + extra, 16), *q = out;
    u32 at = 0;
    for (u32 i = 0; i < s->edits.len; i++) {
        Edit e = s->edits.at[i];
        if (e.from < at) continue; /* inside the one before */
        memcpy(q, src.p + at, e.from - at);
        q += e.from - at;
        const char *rest = src.p + e.from;
        if (e.text) {
            usize n = strlen(e.text);
            memcpy(q, e.text, n);
            q += n;
            rest += MIN(n, (usize)(e.to - e.from));
        }
        q = blank(q, rest, src.p + e.to);
        at = e.to;
    }
    memcpy(q, src.p + at, src.n - at);
    q += src.n - at;
    memset(q, 0, LEX_PADDING);
    return (Str){out, (usize)(q - out)};
}

bool strip_file(const StripInput *in, StripResult *ret)
{
    AUTO(Scratch) scratch = scratch_begin(in->arena);
    Strip s = {.arena = scratch.arena, .opt = in->opt};
    LogMark mark = log_mark(in->log);
    Str text = in->source->text;
    *ret = (StripResult){0};
    Ast t;
    ast_init_small(&t, in->source, in->atoms);
    bool ok = parse_strip(&t, in->arena, in->parse, in->log, &s);
    Ast_deinit(&t);
    if (intern_find(in->atoms, in->opt->names.cob)) s.reason = "a reserved name";
    if (s.reason) {
        /* The full path reports errors, once. */
        log_rewind(in->log, mark);
        ret->reason = s.reason;
        return true;
    }
    if (!ok) return false;
    if (str_starts(text, S("#!"))) vec_push(scratch.arena, &s.edits, (Edit){0, 2, "//"});
    ret->info = s.info;
    ret->edited = s.edits.len > 0;
    ret->text = ret->edited ? apply(in->source, &s, in->arena) : text;
    return true;
}

void strip_finish(Parser *p)
{
    if (!p->strip->reason && !p->l.dead) finish_module(p);
}
