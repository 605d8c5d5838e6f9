/* syntax/parse_module.c -- import and export declarations. */
#include "syntax/edits.h"
#include "syntax/parser.h"

#include <string.h>

/* A declaration of modules stands only at the top level; TypeScript also has it in ambient modules.
 */
static void check_module_level(Parser *p, const char *what)
{
    if (p->depth != 1 && !(p->ts && has_ctx(p, CTX_NAMESPACE | CTX_AMBIENT))) {
        early_error(p, POS(p), 6, "\"%s\" is only allowed at the top level of a module", what);
        return;
    }
    if (p->opt->goal == GOAL_SCRIPT || p->opt->goal == GOAL_COMMONJS) {
        early_error(p, POS(p), 6, "\"%s\" is only allowed in modules", what);
    }
}

/* The file has import or export declarations; not called for those that TypeScript erases inside
 * namespaces. */
static void note_esm(Parser *p)
{
    if (has_ctx(p, CTX_NAMESPACE) && p->ts) return;
    p->ast->has_esm = true;
    if (!p->ast->is_module && p->opt->goal == GOAL_AUTO) mark_esm(p);
}

static void add_export(Parser *p, Str name, u32 pos)
{
    if (has_ctx(p, CTX_NAMESPACE)) return;
    bool is_new;
    u64 *slot = str_map_put(p->arena, &p->exports, name, &is_new);
    if (!is_new && *slot != pos + 1) {
        early_error(p, pos, 1, "\"%.*s\" is exported twice", STR_ARG(name));
    }
    *slot = pos + 1;
}

/* Lone surrogates are not allowed in the names of imports and exports. */
static bool is_well_formed(Str s)
{
    for (usize i = 0; i + 1 < s.n; i++) {
        if ((u8)s.p[i] == 0xed && (u8)s.p[i + 1] >= 0xa0) return false;
    }
    return true;
}

/* IdentifierName or string. */
static NodeId parse_module_name(Parser *p)
{
    if (TOKEN(p) == TOK_STR) {
        if (!is_well_formed(p->l.str)) {
            early_error(p, POS(p), p->l.tok_end - POS(p), "This name has an unpaired surrogate");
        }
        return parse_string(p);
    }
    if (!is_word(TOKEN(p))) return expected(p, "an identifier");
    NodeId id = node(p, NODE_IDENT, POS(p), lex_atom(&p->l), 0);
    lex_next(&p->l);
    return id;
}

/* with { type: "json" } */
static ListId parse_with_clause(Parser *p)
{
    bool is_assert = TOKEN(p) == TOK_ASSERT && !p->l.nl;
    if (TOKEN(p) != TOK_WITH && !is_assert) return 0;
    lex_next(&p->l);
    u32 mark = list_begin(p);
    expect(p, TOK_LBRACE);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        u32 pos = POS(p);
        NodeId key = parse_module_name(p);
        expect(p, TOK_COLON);
        NodeId value = parse_string(p);
        for (u32 i = mark; i < p->stack.len && !p->l.dead; i++) {
            NodeId other = ast_node(p->ast, p->stack.at[i])->a;
            if (ast_node(p->ast, other)->a == ast_node(p->ast, key)->a) {
                early_error(p, pos, 1, "This import attribute is given twice");
            }
        }
        list_push(p, node(p, NODE_PROP, pos, key, value));
        if (TOKEN(p) != TOK_RBRACE && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACE);
    return list_end(p, mark);
}

static NodeId import_spec(Parser *p, u32 pos, NodeId imported, NodeId local, ImportKind kind)
{
    NodeId id = node(p, NODE_IMPORT_SPEC, pos, imported, local);
    ast_node(p->ast, id)->op = (u8)kind;
    return id;
}

/* `type` in front of a specifier: a modifier, or the name itself?  Behind `type`: `as` decides. */
static bool take_type_modifier(Parser *p)
{
    if (!p->ts || TOKEN(p) != TOK_TYPE) return false;
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    bool is_modifier = is_word(TOKEN(p)) || TOKEN(p) == TOK_STR;
    if (TOKEN(p) == TOK_AS) {
        /* type as          -- imports the type `as`
         * type as as       -- imports `type` as `as`
         * type as as x     -- imports the type `as` as x
         * type as x        -- imports `type` as x */
        lex_next(&p->l);
        if (TOKEN(p) == TOK_AS) {
            lex_next(&p->l);
            is_modifier = is_word(TOKEN(p));
        } else {
            is_modifier = !is_word(TOKEN(p));
        }
    }
    p->l = saved;
    if (is_modifier) lex_next(&p->l);
    return is_modifier;
}

static NodeId parse_import_spec(Parser *p)
{
    u32 pos = POS(p);
    bool type_only = take_type_modifier(p);
    Tok word = TOKEN(p);
    u32 len = p->l.tok_end - POS(p), at = POS(p);
    NodeId imported = parse_module_name(p), local;
    if (p->l.dead) return 0;
    if (take(p, TOK_AS)) {
        local = parse_binding_ident(p);
    } else {
        if (!is_word(word)) return expected(p, "\"as\"");
        Atom name = ast_node(p->ast, imported)->a;
        check_reserved(p, name, at, len, true);
        local = node(p, NODE_IDENT, at, name, 0);
    }
    NodeId id = import_spec(p, pos, imported, local, IMPORT_NAMED);
    if (type_only) ast_node(p->ast, id)->flags = NF_TYPE_ONLY;
    return id;
}

static void parse_named_imports(Parser *p)
{
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        list_push(p, parse_import_spec(p));
        if (TOKEN(p) != TOK_RBRACE && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACE);
}

static void parse_namespace_import(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (!take(p, TOK_AS)) expected(p, "\"as\"");
    list_push(p, import_spec(p, pos, 0, parse_binding_ident(p), IMPORT_NAMESPACE));
}

/* `import type`, `import defer`, `import source`: what the word means is decided by what follows.
 */
static bool take_import_word(Parser *p)
{
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    bool is_modifier;
    if (TOKEN(p) == TOK_FROM) {
        /* `import type from "x"` against `import type from from "x"` and `import type from = ...`
         */
        lex_next(&p->l);
        is_modifier = TOKEN(p) == TOK_FROM || TOKEN(p) == TOK_ASSIGN;
    } else {
        is_modifier = is_name(TOKEN(p)) || TOKEN(p) == TOK_LBRACE || TOKEN(p) == TOK_STAR;
    }
    p->l = saved;
    if (is_modifier) lex_next(&p->l);
    return is_modifier;
}

static ImportPhase take_import_phase(Parser *p)
{
    Tok word = TOKEN(p);
    if (word != TOK_DEFER && word != TOK_SOURCE) return PHASE_EVALUATION;
    Lexer saved = p->l;
    if (!take_import_word(p)) return PHASE_EVALUATION;
    bool ok = word == TOK_DEFER ? TOKEN(p) == TOK_STAR : is_name(TOKEN(p));
    if (ok) return word == TOK_DEFER ? PHASE_DEFER : PHASE_SOURCE;
    p->l = saved;
    return PHASE_EVALUATION;
}

/* The bindings up to `from`.  Left on the stack.  False: it was `import x = ...`, in *ret. */
static bool parse_import_clause(Parser *p, u32 pos, bool type_only, NodeId *ret)
{
    if (is_name(TOKEN(p))) {
        u32 at = POS(p);
        NodeId local = parse_binding_ident(p);
        if (p->ts && TOKEN(p) == TOK_ASSIGN) {
            *ret = parse_import_equals(p, pos, local, type_only);
            return false;
        }
        list_push(p, import_spec(p, at, 0, local, IMPORT_DEFAULT));
        if (!take(p, TOK_COMMA)) return true;
        if (type_only) {
            early_error(p, pos, 6, "A type-only import has a default or named bindings, not both");
        }
    }
    if (TOKEN(p) == TOK_STAR)
        parse_namespace_import(p);
    else if (TOKEN(p) == TOK_LBRACE)
        parse_named_imports(p);
    else
        expected(p, "\"{\" or \"*\"");
    return true;
}

static NodeId parse_import_inner(Parser *p)
{
    u32 pos = POS(p), mark = list_begin(p);
    check_module_level(p, "import");
    lex_next(&p->l);
    Node n = {.kind = NODE_IMPORT, .pos = pos};
    if (TOKEN(p) != TOK_STR) {
        bool type_only = p->ts && TOKEN(p) == TOK_TYPE && take_import_word(p);
        if (type_only)
            n.flags = NF_TYPE_ONLY;
        else
            n.op = (u8)take_import_phase(p);
        NodeId equals;
        if (!parse_import_clause(p, pos, type_only, &equals)) return equals;
        if (!take(p, TOK_FROM)) return expected(p, "\"from\"");
    } else if (p->ts && has_ctx(p, CTX_AMBIENT)) {
        n.flags = NF_TYPE_ONLY;
    }
    note_esm(p);
    n.b = parse_string(p);
    n.c = parse_with_clause(p);
    expect_semicolon(p);
    n.a = list_end(p, mark);
    return ast_add(p->ast, n);
}

NodeId parse_import(Parser *p)
{
    p->in_import = true;
    NodeId id = parse_import_inner(p);
    p->in_import = false;
    return id;
}

/* ---- Exports ---- */

static void export_pattern(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: add_export(p, atom_str(p->l.atoms, n->a), n->pos); break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(p->ast, list); i++) export_pattern(p, ast_at(p->ast, list, i));
        break;
    case NODE_PROP: export_pattern(p, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: export_pattern(p, n->a); break;
    default: break;
    }
}

/* The names that an exported declaration exports. */
static void export_declaration(Parser *p, NodeId id)
{
    if (p->l.dead || !id) return;
    const Node *n = ast_node(p->ast, id);
    switch (n->kind) {
    case NODE_VAR: {
        ListId list = n->a;
        for (u32 i = 0; i < ast_len(p->ast, list); i++) {
            export_pattern(p, ast_node(p->ast, ast_at(p->ast, list, i))->a);
        }
        break;
    }
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL: {
        NodeId name = ast_node(p->ast, n->a)->a;
        /* A class or function may merge with exported namespaces and interfaces. */
        if (name) export_pattern(p, name);
        break;
    }
    default: break;
    }
}

static NodeId export_of(Parser *p, u32 pos, NodeId decl)
{
    if (!decl || p->l.dead) return 0;
    note_esm(p);
    Node *d = ast_node(p->ast, decl);
    if (d->kind == NODE_TYPE_DECL) return decl;
    if (d->kind == NODE_ENUM || d->kind == NODE_NAMESPACE || d->kind == NODE_IMPORT_EQUALS) {
        d->flags |= NF_EXPORTED;
    }
    export_declaration(p, decl);
    return node(p, NODE_EXPORT_DECL, pos, decl, 0);
}

static NodeId parse_export_spec(Parser *p, bool *has_string, u32 *ret_reserved)
{
    u32 pos = POS(p);
    bool type_only = take_type_modifier(p);
    Tok word = TOKEN(p);
    if (word == TOK_STR) *has_string = true;
    u32 at = POS(p);
    NodeId local = parse_module_name(p), exported = local;
    if (p->l.dead) return 0;
    bool reserved = word >= TOK_WORD_FIRST && word < TOK_CONTEXT_FIRST;
    if (reserved && !*ret_reserved) *ret_reserved = at + 1;
    if (word == TOK_IDENT && ast_node(p->ast, local)->a < WORD_ATOM(TOK_CONTEXT_FIRST) &&
        !*ret_reserved) {
        *ret_reserved = at + 1; /* a reserved word written with escapes */
    }
    if (take(p, TOK_AS)) {
        at = POS(p);
        exported = parse_module_name(p);
    }
    if (p->l.dead) return 0;
    NodeId id = node(p, NODE_EXPORT_SPEC, pos, local, exported);
    if (type_only)
        ast_node(p->ast, id)->flags = NF_TYPE_ONLY;
    else if (!p->ts)
        add_export(p, atom_str(p->l.atoms, ast_node(p->ast, exported)->a), at);
    return id;
}

/* `{ ... }`, with `from` or without. */
static NodeId parse_export_list(Parser *p, u32 pos, bool type_only)
{
    u32 mark = list_begin(p), str_pos = POS(p);
    bool has_string = false;
    u32 reserved = 0;
    if (type_only) p->ctx |= CTX_NAMESPACE; /* types may share a name with a value */
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        list_push(p, parse_export_spec(p, &has_string, &reserved));
        if (TOKEN(p) != TOK_RBRACE && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACE);
    Node n = {.kind = NODE_EXPORT, .pos = pos, .flags = type_only ? NF_TYPE_ONLY : 0};
    if (take(p, TOK_FROM)) {
        n.b = parse_string(p);
        n.c = parse_with_clause(p);
    } else {
        if (has_string) early_error(p, str_pos, 1, "A string can only be exported with \"from\"");
        if (reserved)
            early_error(p, reserved - 1, 1, "A reserved word can only be exported with \"from\"");
    }
    expect_semicolon(p);
    n.a = list_end(p, mark);
    return ast_add(p->ast, n);
}

static NodeId parse_export_all(Parser *p, u32 pos, bool type_only)
{
    lex_next(&p->l);
    Node n = {.kind = NODE_EXPORT_ALL, .pos = pos, .flags = type_only ? NF_TYPE_ONLY : 0};
    if (take(p, TOK_AS)) {
        u32 at = POS(p);
        n.a = parse_module_name(p);
        if (!p->l.dead && !type_only)
            add_export(p, atom_str(p->l.atoms, ast_node(p->ast, n.a)->a), at);
    }
    if (!take(p, TOK_FROM)) return expected(p, "\"from\"");
    n.b = parse_string(p);
    n.c = parse_with_clause(p);
    expect_semicolon(p);
    return ast_add(p->ast, n);
}

/* A function or class whose name may be missing.  *ret_erased: an overload or interface. */
static NodeId parse_default_decl(Parser *p, ListId decorators)
{
    u32 pos = POS(p);
    bool nl;
    bool async = TOKEN(p) == TOK_ASYNC && peek(p, &nl) == TOK_FUNCTION && !nl;
    if (async) lex_next(&p->l);
    if (async || TOKEN(p) == TOK_FUNCTION) {
        NodeId fn = parse_function(p, pos, async, false);
        if (p->l.dead || (ast_node(p->ast, fn)->flags & NF_DECLARE)) return 0;
        return node(p, NODE_FUNC_DECL, pos, fn, 0);
    }
    if (p->ts && TOKEN(p) == TOK_ABSTRACT && peek(p, &nl) == TOK_CLASS && !nl) {
        erase(p, POS(p), p->l.tok_end);
        lex_next(&p->l);
    }
    if (TOKEN(p) == TOK_AT) decorators = parse_decorators(p);
    NodeId c = parse_class(p, pos, false, decorators);
    return node(p, NODE_CLASS_DECL, pos, c, 0);
}

static bool is_default_decl(Parser *p)
{
    bool nl;
    switch (TOKEN(p)) {
    case TOK_FUNCTION:
    case TOK_CLASS:
    case TOK_AT: return true;
    case TOK_ASYNC: return peek(p, &nl) == TOK_FUNCTION && !nl;
    case TOK_ABSTRACT: return p->ts && peek(p, &nl) == TOK_CLASS && !nl;
    default: return false;
    }
}

static NodeId parse_export_default(Parser *p, u32 pos, ListId decorators)
{
    u32 at = POS(p);
    if (p->strip) p->strip->default_end = p->l.tok_end;
    lex_next(&p->l);
    bool nl;
    if (p->ts && TOKEN(p) == TOK_INTERFACE && is_name(peek(p, &nl)) && !nl) {
        u32 start = POS(p);
        lex_next(&p->l);
        return parse_interface(p, start);
    }
    NodeId value;
    if (decorators || is_default_decl(p)) {
        value = parse_default_decl(p, decorators);
        if (!value) return 0;
    } else {
        value = parse_assign(p, 0);
        expect_semicolon(p);
    }
    /* TypeScript may export a type and a value as default. */
    if (!(p->ts && !p->l.dead && KIND(p, value) == NODE_IDENT)) add_export(p, S("default"), at);
    return node(p, NODE_EXPORT_DEFAULT, pos, value, 0);
}

/* What `export =` and `export as namespace` say. */
static NodeId parse_export_legacy(Parser *p, u32 pos)
{
    if (take(p, TOK_ASSIGN)) {
        NodeId value = parse_expr(p, 0);
        expect_semicolon(p);
        return node(p, NODE_EXPORT_ASSIGN, pos, value, 0);
    }
    lex_next(&p->l); /* as */
    if (!take(p, TOK_NAMESPACE)) return expected(p, "\"namespace\"");
    NodeId name = parse_binding_ident(p);
    expect_semicolon(p);
    return p->l.dead ? 0 : node(p, NODE_TYPE_DECL, pos, ast_node(p->ast, name)->a, 0);
}

/* `export type ...`; the word is the current token.  False when it is not one of its forms. */
static bool parse_export_type(Parser *p, u32 pos, NodeId *ret)
{
    Tok next = peek(p, NULL);
    if (next != TOK_LBRACE && next != TOK_STAR) return false;
    lex_next(&p->l);
    u32 ctx = p->ctx;
    *ret = next == TOK_STAR ? parse_export_all(p, pos, true) : parse_export_list(p, pos, true);
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    return true;
}

/* What may follow `export`: a declaration. */
static NodeId parse_exported_decl(Parser *p, u32 pos, ListId decorators)
{
    switch (TOKEN(p)) {
    case TOK_VAR:
    case TOK_CONST:
    case TOK_FUNCTION:
    case TOK_CLASS:
    case TOK_ENUM: break;
    case TOK_AT:
        if (decorators) return unexpected(p);
        decorators = parse_decorators(p);
        break;
    case TOK_LET:
    case TOK_ASYNC: break;
    case TOK_IMPORT:
        if (p->ts) {
            u32 at = POS(p);
            lex_next(&p->l);
            bool type_only = TOKEN(p) == TOK_TYPE && take_import_word(p);
            NodeId local = parse_binding_ident(p);
            return export_of(p, pos, parse_import_equals(p, at, local, type_only));
        }
        return unexpected(p);
    default:
        if (!p->ts || TOKEN(p) < TOK_STRICT_FIRST) return unexpected(p);
    }
    if (decorators) {
        if (p->ts && TOKEN(p) == TOK_ABSTRACT) lex_next(&p->l);
        if (TOKEN(p) != TOK_CLASS) return expected(p, "\"class\"");
        u32 at = POS(p);
        NodeId c = parse_class(p, at, false, decorators);
        return export_of(p, pos, node(p, NODE_CLASS_DECL, at, c, 0));
    }
    u32 depth = p->depth;
    Tok word = TOKEN(p);
    NodeId decl = parse_statement(p, STMT_LIST);
    p->depth = depth;
    NodeKind kind = decl ? KIND(p, decl) : NODE_TYPE_DECL;
    if (kind == NODE_EXPR_STMT || kind == NODE_LABELED) {
        early_error(p, pos, 6, "Expected a declaration after \"export\"");
        return decl;
    }
    if (kind == NODE_VAR && ast_node(p->ast, decl)->op >= VAR_USING) {
        early_error(p, pos, 6, "A \"using\" declaration cannot be exported");
    }
    (void)word;
    if (!decl) note_esm(p);
    return export_of(p, pos, decl);
}

NodeId parse_export(Parser *p, ListId decorators)
{
    u32 pos = POS(p);
    check_module_level(p, "export");
    lex_next(&p->l);
    NodeId id = 0;
    switch (TOKEN(p)) {
    case TOK_STAR: id = parse_export_all(p, pos, false); break;
    case TOK_LBRACE: id = parse_export_list(p, pos, false); break;
    case TOK_DEFAULT: id = parse_export_default(p, pos, decorators); break;
    case TOK_ASSIGN:
        if (!p->ts) return unexpected(p);
        return parse_export_legacy(p, pos);
    case TOK_AS:
        if (!p->ts) return unexpected(p);
        return parse_export_legacy(p, pos);
    case TOK_TYPE:
        if (p->ts && parse_export_type(p, pos, &id)) break;
        return parse_exported_decl(p, pos, decorators);
    default: return parse_exported_decl(p, pos, decorators);
    }
    note_esm(p);
    return id;
}
