/* syntax/rename.c -- see rename.h. */
#include "syntax/rename.h"

#include "syntax/minify.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHARS = 54, CHARS = 64 };

static const char alphabet[CHARS + 1] =
    "etnriaoscludfpmhgvybxwkjqzSEATCNRPDOMILBFVUHGWKXYJQZ_$0123456789";

void renamer_init(Renamer *r, Arena *a)
{
    *r = (Renamer){.arena = a};
    for (Tok t = TOK_WORD_FIRST; t < TOK_CONTEXT_FIRST; t++) renamer_reserve(r, str_z(tok_name(t)));
    static const char *const more[] = {"await",     "async",     "let", "of",      "eval",
                                       "arguments", "undefined", "NaN", "Infinity"};
    for (u32 i = 0; i < COUNT(more); i++) renamer_reserve(r, str_z(more[i]));
}

void renamer_reserve(Renamer *r, Str name)
{
    *str_map_put(r->arena, &r->reserved, name, NULL) = 1;
}

static const Symbol *symbol_of(const RenameFile *f, SymbolId id)
{
    return symbol_get(f->bindings, id);
}

static Str name_of(const RenameFile *f, SymbolId id)
{
    return atom_str(f->ast->atoms, symbol_of(f, id)->name);
}

/* ---- Which names stay ---- */

static bool is_top(const RenameFile *f, const Symbol *s)
{
    return f->bindings->scopes.at[s->scope].kind == SCOPE_TOP;
}

/* Components of JSX that is printed as JSX must stay upper case. */
static u64 *used_as_element(const RenameFile *f, Arena *a)
{
    u64 *bits = ARENA_ARRAY(a, u64, f->bindings->symbols.len / 64 + 1);
    for (NodeId i = 1; i < f->ast->n_nodes && f->ast->has_jsx; i++) {
        const Node *n = ast_node(f->ast, i);
        if (n->kind != NODE_JSX_ELEMENT || !n->a) continue;
        const Node *name = ast_node(f->ast, n->a);
        if (name->kind == NODE_IDENT && name->b) bits[name->b >> 6] |= 1ULL << (name->b & 63);
    }
    return bits;
}

static bool gets_name(const RenameFile *f, NodeId value)
{
    const Node *n = value ? ast_node(f->ast, value) : NULL;
    if (!n) return false;
    return n->kind == NODE_ARROW || ((n->kind == NODE_FUNC || n->kind == NODE_CLASS) && !n->a);
}

/* Symbols that a function or class is called by at run time. */
static u64 *names_of_functions(const RenameFile *f, Arena *a)
{
    u64 *bits = ARENA_ARRAY(a, u64, f->bindings->symbols.len / 64 + 1);
    for (SymbolId i = 1; i < f->bindings->symbols.len; i++) {
        u8 kind = symbol_of(f, i)->kind;
        if (kind == SYM_FUNC || kind == SYM_BLOCK_FUNC || kind == SYM_CLASS || kind == SYM_SELF)
            bits[i >> 6] |= 1ULL << (i & 63);
    }
    for (NodeId i = 1; i < f->ast->n_nodes; i++) {
        const Node *n = ast_node(f->ast, i);
        bool pair =
            n->kind == NODE_DECLARATOR || n->kind == NODE_ASSIGN || n->kind == NODE_ASSIGN_PAT;
        if (!pair || !gets_name(f, n->b)) continue;
        const Node *name = ast_node(f->ast, n->a);
        if (name->kind == NODE_IDENT && name->b) bits[name->b >> 6] |= 1ULL << (name->b & 63);
    }
    return bits;
}

static void reserve_free_names(Renamer *r, const RenameFile *f)
{
    for (NodeId i = 1; i < f->ast->n_nodes; i++) {
        const Node *n = ast_node(f->ast, i);
        if (n->kind == NODE_IDENT && n->c && !n->b)
            renamer_reserve(r, atom_str(f->ast->atoms, n->a));
    }
}

static bool is_kept(const RenameFile *f, const Symbol *s)
{
    const Scope *scope = &f->bindings->scopes.at[s->scope];
    /* In functions the name would mean their arguments again. */
    if (s->name == WORD_ATOM(TOK_ARGUMENTS)) return true;
    return s->exported || scope->has_eval || (f->keep_top && scope->kind == SCOPE_TOP);
}

/* ---- Slots ---- */

static u32 add_slot(Renamer *r)
{
    u32 order = r->slots.len;
    vec_push(r->arena, &r->slots, (RenameSlot){.order = order});
    return order;
}

/* Symbols stand in the order in which their scopes were opened, or nearly; so counting by scope
 * needs an array. */
static void give_slots(Renamer *r, RenameFile *f)
{
    AUTO(Scratch) s = scratch_begin(r->arena);
    u32 n_scopes = f->bindings->scopes.len, n_symbols = f->bindings->symbols.len;
    u32 *own = ARENA_ARRAY(s.arena, u32, n_scopes), *next = ARENA_ARRAY(s.arena, u32, n_scopes);
    u64 *elements = used_as_element(f, s.arena);
    u64 *linked = bindings_linked(f->bindings, false, s.arena);
    u64 *named = r->keep_names ? names_of_functions(f, s.arena) : NULL;
    u8 *keeps = ARENA_ARRAY(s.arena, u8, n_symbols);
    for (SymbolId i = 1; i < n_symbols; i++) {
        const Symbol *sym = symbol_of(f, i);
        u64 bits = (elements[i >> 6] | linked[i >> 6]) >> (i & 63);
        if (named) bits |= named[i >> 6] >> (i & 63);
        keeps[i] = (bits & 1) || is_kept(f, sym);
        if (!keeps[i] && !is_top(f, sym)) own[sym->scope]++;
    }
    /* A scope's parent has a smaller id. */
    for (ScopeId i = 1; i < n_scopes; i++) {
        ScopeId parent = f->bindings->scopes.at[i].parent;
        next[i] = parent ? next[parent] + own[parent] : 0;
    }
    u32 *at = ARENA_ARRAY(s.arena, u32, n_scopes);
    for (SymbolId i = 1; i < n_symbols; i++) {
        const Symbol *sym = symbol_of(f, i);
        if (keeps[i]) {
            renamer_reserve(r, name_of(f, i));
            continue;
        }
        if (is_top(f, sym)) continue;
        u32 slot = next[sym->scope] + at[sym->scope]++;
        while (r->slots.len <= slot) (void)add_slot(r);
        r->symbols.at[f->base + i].slot = slot + 1;
        r->slots.at[slot].count += sym->n_refs + 1;
    }
    for (SymbolId i = 1; i < n_symbols; i++)
        if (keeps[i]) r->symbols.at[f->base + i].slot = UINT32_MAX;
}

static void count_characters(Renamer *r, Str text)
{
    for (usize i = 0; i < text.n; i++) r->histogram[(u8)text.p[i]]++;
}

u32 renamer_add(Renamer *r, Ast *t, Bindings *b, bool keep_top)
{
    RenameFile f = {.ast = t, .bindings = b, .keep_top = keep_top, .base = r->symbols.len};
    bindings_mark_exports(t, b);
    vec_reserve(r->arena, &r->symbols, r->symbols.len + b->symbols.len);
    for (u32 i = 0; i < b->symbols.len; i++) vec_push(r->arena, &r->symbols, (RenameSymbol){0});
    vec_push(r->arena, &r->files, f);
    return r->files.len - 1;
}

void renamer_link(Renamer *r, u32 file, SymbolId symbol, u32 to_file, SymbolId to_symbol)
{
    u32 from = r->files.at[file].base + symbol, to = r->files.at[to_file].base + to_symbol;
    r->symbols.at[from].linked = to + 1;
}

/* The symbol at the end of a chain of links; chains that go in circles end somewhere. */
static u32 target_of(const Renamer *r, u32 at)
{
    for (u32 steps = 0; r->symbols.at[at].linked && steps < 1000; steps++)
        at = r->symbols.at[at].linked - 1;
    return at;
}

static void give_top_slots(Renamer *r)
{
    for (u32 k = 0; k < r->files.len; k++) {
        const RenameFile *f = &r->files.at[k];
        for (SymbolId i = 1; i < f->bindings->symbols.len; i++) {
            if (!is_top(f, symbol_of(f, i))) continue;
            u32 target = target_of(r, f->base + i);
            if (r->symbols.at[target].slot == UINT32_MAX) continue;
            if (!r->symbols.at[target].slot) r->symbols.at[target].slot = add_slot(r) + 1;
            r->slots.at[r->symbols.at[target].slot - 1].count += symbol_of(f, i)->n_refs + 1;
        }
    }
}

/* ---- Short names ---- */

static int by_count(const void *x, const void *y)
{
    const RenameSlot *a = *(const RenameSlot *const *)x, *b = *(const RenameSlot *const *)y;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The alphabet, the characters first that the sources have most of: compresses better. */
static void sort_alphabet(const Renamer *r, char *out)
{
    memcpy(out, alphabet, CHARS);
    for (u32 i = 1; i < CHARS; i++) {
        u32 from = i < FIRST_CHARS ? 0 : FIRST_CHARS;
        char c = out[i];
        u32 k = i;
        for (; k > from && r->histogram[(u8)out[k - 1]] < r->histogram[(u8)c]; k--)
            out[k] = out[k - 1];
        out[k] = c;
    }
}

static usize write_name(const char *letters, u32 index, char *out)
{
    usize n = 0;
    out[n++] = letters[index % FIRST_CHARS];
    for (index /= FIRST_CHARS; index; index /= CHARS) {
        index--;
        out[n++] = letters[index % CHARS];
    }
    return n;
}

void renamer_minify(Renamer *r)
{
    AUTO(Scratch) s = scratch_begin(r->arena);
    for (u32 i = 0; i < r->files.len; i++) {
        reserve_free_names(r, &r->files.at[i]);
        give_slots(r, &r->files.at[i]);
        count_characters(r, r->files.at[i].ast->source->text);
    }
    r->n_nested = r->slots.len;
    give_top_slots(r);
    const RenameSlot **order = ARENA_ARRAY(s.arena, const RenameSlot *, r->slots.len + 1);
    for (u32 i = 0; i < r->slots.len; i++) order[i] = &r->slots.at[i];
    if (r->slots.len) qsort(order, r->slots.len, sizeof(*order), by_count);
    char letters[CHARS], buf[16];
    sort_alphabet(r, letters);
    u32 next = 0;
    for (u32 i = 0; i < r->slots.len; i++) {
        Str name;
        do {
            name = (Str){buf, write_name(letters, next++, buf)};
        } while (str_map_find(&r->reserved, name));
        r->slots.at[order[i]->order].name = str_dup(r->arena, name);
    }
}

/* ---- Names that do not collide ---- */

enum { NESTED_IN_MANY = 1 }; /* in `reserved`: else 2 + the file whose functions have the name */

static void reserve_nested(Renamer *r, u32 file)
{
    const RenameFile *f = &r->files.at[file];
    for (SymbolId i = 1; i < f->bindings->symbols.len; i++) {
        if (is_top(f, symbol_of(f, i))) continue;
        bool is_new;
        u64 *slot = str_map_put(r->arena, &r->reserved, name_of(f, i), &is_new);
        if (is_new)
            *slot = file + 2;
        else if (*slot != file + 2)
            *slot = NESTED_IN_MANY;
    }
}

/* A nested name of the same file shadows it where it did before; one of another file must not. */
static Str unlike_all(Renamer *r, const StrMap *taken, Str name, u32 file)
{
    Str candidate = name;
    for (u32 k = 2;; k++) {
        u64 *slot = str_map_find(&r->reserved, candidate);
        bool is_free = !slot || (k == 2 && *slot == file + 2);
        if (is_free && !str_map_find(taken, candidate)) return candidate;
        candidate = str_fmt(r->arena, "%.*s%u", STR_ARG(name), k);
    }
}

void renamer_separate(Renamer *r)
{
    AUTO(Scratch) s = scratch_begin(r->arena);
    StrMap taken = {0};
    for (u32 i = 0; i < r->files.len; i++) {
        reserve_free_names(r, &r->files.at[i]);
        reserve_nested(r, i);
    }
    for (u32 k = 0; k < r->files.len; k++) {
        const RenameFile *f = &r->files.at[k];
        for (SymbolId i = 1; i < f->bindings->symbols.len; i++) {
            u32 at = f->base + i;
            if (!is_top(f, symbol_of(f, i)) || r->symbols.at[at].linked) continue;
            Str name = unlike_all(r, &taken, name_of(f, i), k);
            *str_map_put(s.arena, &taken, name, NULL) = 1;
            r->symbols.at[at].slot = add_slot(r) + 1;
            r->slots.at[r->symbols.at[at].slot - 1].name = name;
        }
    }
}

/* ---- Writing ---- */

/* `export { a }` has one node for both names. */
static void split_specs(Ast *t)
{
    u32 n = t->n_nodes;
    for (NodeId i = 1; i < n; i++) {
        const Node spec = *ast_node(t, i);
        bool is_spec = spec.kind == NODE_EXPORT_SPEC || spec.kind == NODE_IMPORT_SPEC;
        if (!is_spec || spec.a != spec.b) continue;
        Node copy = *ast_node(t, spec.a);
        if (copy.kind == NODE_IDENT) copy.b = copy.c = 0;
        NodeId other = ast_add(t, copy);
        if (spec.kind == NODE_EXPORT_SPEC)
            ast_node(t, i)->b = other;
        else
            ast_node(t, i)->a = other;
    }
}

static void apply_file(Renamer *r, const RenameFile *f)
{
    AUTO(Scratch) s = scratch_begin(r->arena);
    u32 n_symbols = f->bindings->symbols.len;
    Atom *names = ARENA_ARRAY(s.arena, Atom, n_symbols);
    for (SymbolId i = 1; i < n_symbols; i++) {
        u32 slot = r->symbols.at[target_of(r, f->base + i)].slot;
        if (slot && slot != UINT32_MAX)
            names[i] = intern(f->ast->atoms, r->slots.at[slot - 1].name);
    }
    split_specs(f->ast);
    for (NodeId i = 1; i < f->ast->n_nodes; i++) {
        Node *n = ast_node(f->ast, i);
        if (n->kind == NODE_IDENT && n->b && names[n->b]) n->a = names[n->b];
    }
}

void renamer_apply(Renamer *r)
{
    for (u32 i = 0; i < r->files.len; i++) apply_file(r, &r->files.at[i]);
}
