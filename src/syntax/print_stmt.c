/* syntax/print_stmt.c -- statements and declarations. */
#include "syntax/printer.h"

static void end_stmt(Printer *p)
{
    if (p->minify)
        p->semicolon = true;
    else
        put_char(p, ';');
}

/* The semicolon owed by the statement before. */
static void begin_stmt(Printer *p)
{
    if (p->semicolon) put_char(p, ';');
    p->semicolon = false;
}

/* Has a statement anything that runs where it stands? */
static bool is_counted(const Printer *p, const Node *n)
{
    switch (n->kind) {
    case NODE_FUNC_DECL:
    case NODE_IMPORT:
    case NODE_EXPORT:
    case NODE_EXPORT_ALL:
    case NODE_EMPTY:
    case NODE_BLOCK: return false;
    case NODE_EXPORT_DEFAULT:
    case NODE_EXPORT_DECL: return is_counted(p, get(p, n->a));
    case NODE_EXPR_STMT: return !(n->flags & NF_DIRECTIVE);
    case NODE_VAR:
        for (u32 i = 0; i < ast_len(p->ast, n->a); i++)
            if (get(p, ast_at(p->ast, n->a, i))->b) return true;
        return false;
    default: return true;
    }
}

static void put_stmt_counter(Printer *p, u32 pos)
{
    put_counter(p, pos, false);
    put_char(p, ';');
    put_space(p);
}

void print_list_item(Printer *p, NodeId id)
{
    if (get(p, id)->kind == NODE_TYPE_DECL) return;
    begin_stmt(p);
    put_indent(p);
    if (UNLIKELY(p->opt->counters != NULL) && is_counted(p, get(p, id)))
        put_stmt_counter(p, get(p, id)->pos);
    if (p->opt->comments) put_comments(p, get(p, id)->pos);
    print_stmt(p, id);
    put_newline(p);
}

void print_stmt_list(Printer *p, ListId list)
{
    for (u32 i = 0; i < ast_len(p->ast, list); i++) print_list_item(p, ast_at(p->ast, list, i));
}

void print_block_body(Printer *p, ListId body)
{
    bool semicolon = p->semicolon;
    p->semicolon = false;
    put_char(p, '{');
    if (ast_len(p->ast, body)) {
        put_newline(p);
        p->indent++;
        print_stmt_list(p, body);
        p->indent--;
        put_indent(p);
    }
    put_char(p, '}');
    p->semicolon = semicolon;
}

void print_function_body(Printer *p, ListId body, u32 pos)
{
    if (LIKELY(!p->opt->counters)) {
        print_block_body(p, body);
        return;
    }
    u32 i = 0, len = ast_len(p->ast, body);
    bool semicolon = p->semicolon;
    p->semicolon = false;
    put_char(p, '{');
    for (; i < len; i++) {
        const Node *n = get(p, ast_at(p->ast, body, i));
        if (n->kind != NODE_EXPR_STMT || !(n->flags & NF_DIRECTIVE)) break;
        print_list_item(p, ast_at(p->ast, body, i));
    }
    begin_stmt(p);
    put_counter(p, pos, true);
    put_char(p, ';');
    put_newline(p);
    p->indent++;
    for (; i < len; i++) print_list_item(p, ast_at(p->ast, body, i));
    p->indent--;
    put_char(p, '}');
    p->semicolon = semicolon;
}

/* On the same line when it is a block. */
static void print_below(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_BLOCK) {
        put_space(p);
        print_stmt(p, id);
    } else if (n->kind == NODE_EMPTY) {
        put_char(p, ';');
    } else {
        put_newline(p);
        p->indent++;
        put_indent(p);
        print_stmt(p, id);
        p->indent--;
    }
}

/* Bodies of loops and ifs. */
static void print_body(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (UNLIKELY(p->opt->counters != NULL) && n->kind != NODE_BLOCK && is_counted(p, n)) {
        bool semicolon = p->semicolon;
        PUT(p, " { ");
        put_stmt_counter(p, n->pos);
        print_stmt(p, id);
        PUT(p, " }");
        p->semicolon = semicolon;
        return;
    }
    print_below(p, id);
}

static void print_paren(Printer *p, NodeId id)
{
    put_space(p);
    put_char(p, '(');
    print_expr(p, id, LEVEL_COMMA, 0);
    put_char(p, ')');
}

/* ---- Variables ---- */

void print_var_head(Printer *p, const Node *n, u32 flags)
{
    static const char *const words[] = {"var", "let", "const", "using", "await using"};
    put_word(p, str_z(words[n->op]));
    ListId list = n->a;
    NodeKind first = (NodeKind)get(p, get(p, ast_at(p->ast, list, 0))->a)->kind;
    if (!p->minify || (first != NODE_OBJECT_PAT && first != NODE_ARRAY_PAT)) put_char(p, ' ');
    for (u32 i = 0; i < ast_len(p->ast, list); i++) {
        const Node *d = get(p, ast_at(p->ast, list, i));
        if (i) {
            put_char(p, ',');
            put_space(p);
        }
        NodeId init = d->b;
        put_mark(p, d->pos);
        print_binding(p, d->a);
        if (!init) continue;
        put_space(p);
        put_char(p, '=');
        put_space(p);
        print_expr(p, init, LEVEL_YIELD, flags);
    }
}

/* ---- Control flow ---- */

/* Would an `else` behind this statement be taken by an if inside it? */
static bool ends_in_open_if(const Printer *p, NodeId id)
{
    for (;;) {
        const Node *n = get(p, id);
        switch (n->kind) {
        case NODE_IF:
            if (!n->c) return true;
            id = n->c;
            continue;
        case NODE_FOR: id = n->d; continue;
        case NODE_FOR_IN:
        case NODE_FOR_OF: id = n->c; continue;
        case NODE_WHILE:
        case NODE_WITH:
        case NODE_LABELED: id = n->b; continue;
        default: return false;
        }
    }
}

static void print_if(Printer *p, NodeId id)
{
    for (;;) {
        const Node *n = get(p, id);
        WORD(p, "if");
        print_paren(p, n->a);
        bool wrap = n->c && ends_in_open_if(p, n->b);
        if (wrap) put_char(p, '{');
        print_body(p, n->b);
        if (wrap) {
            p->semicolon = false;
            put_char(p, '}');
        }
        if (!n->c) return;
        if (get(p, n->b)->kind == NODE_BLOCK || wrap) {
            put_space(p);
        } else {
            begin_stmt(p);
            put_newline(p);
            put_indent(p);
        }
        WORD(p, "else");
        NodeId no = n->c;
        if (get(p, no)->kind != NODE_IF) {
            print_body(p, no);
            return;
        }
        put_char(p, ' ');
        id = no;
    }
}

static void print_for(Printer *p, const Node *n)
{
    WORD(p, "for");
    put_space(p);
    put_char(p, '(');
    if (n->a) {
        const Node *init = get(p, n->a);
        if (init->kind == NODE_VAR)
            print_var_head(p, init, P_NO_IN);
        else {
            p->stmt_start = p->out->len + 1; /* `let` */
            print_expr(p, n->a, LEVEL_COMMA, P_NO_IN);
        }
    }
    put_char(p, ';');
    if (n->b) {
        put_space(p);
        print_expr(p, n->b, LEVEL_COMMA, 0);
    }
    put_char(p, ';');
    if (n->c) {
        put_space(p);
        print_expr(p, n->c, LEVEL_COMMA, 0);
    }
    put_char(p, ')');
    print_body(p, n->d);
}

static void print_for_each(Printer *p, const Node *n)
{
    bool is_of = n->kind == NODE_FOR_OF;
    WORD(p, "for");
    if (n->flags & NF_AWAIT) WORD(p, "await");
    put_space(p);
    put_char(p, '(');
    const Node *left = get(p, n->a);
    if (left->kind == NODE_VAR) {
        print_var_head(p, left, P_NO_IN);
    } else if (left->kind == NODE_OBJECT_PAT || left->kind == NODE_ARRAY_PAT) {
        print_binding(p, n->a);
    } else {
        if (is_of && !(n->flags & NF_AWAIT))
            p->for_of_start = p->out->len + 1;
        else
            p->stmt_start = p->out->len + 1;
        print_expr(p, n->a, LEVEL_POSTFIX, P_NO_IN);
    }
    put_space(p);
    put_word(p, is_of ? S("of") : S("in"));
    put_space(p);
    print_expr(p, n->b, is_of ? LEVEL_YIELD : LEVEL_COMMA, 0);
    put_char(p, ')');
    print_body(p, n->c);
}

static void print_do(Printer *p, const Node *n)
{
    WORD(p, "do");
    print_body(p, n->a);
    if (get(p, n->a)->kind == NODE_BLOCK) {
        put_space(p);
    } else {
        begin_stmt(p);
        put_newline(p);
        put_indent(p);
    }
    WORD(p, "while");
    print_paren(p, n->b);
    end_stmt(p);
}

static void print_try(Printer *p, const Node *n)
{
    WORD(p, "try");
    put_space(p);
    print_block_body(p, get(p, n->a)->a);
    if (n->c) {
        put_space(p);
        WORD(p, "catch");
        if (n->b) {
            put_space(p);
            put_char(p, '(');
            print_binding(p, n->b);
            put_char(p, ')');
        }
        put_space(p);
        print_block_body(p, get(p, n->c)->a);
    }
    if (n->d) {
        put_space(p);
        WORD(p, "finally");
        put_space(p);
        print_block_body(p, get(p, n->d)->a);
    }
}

static void print_switch(Printer *p, const Node *n)
{
    WORD(p, "switch");
    print_paren(p, n->a);
    put_space(p);
    put_char(p, '{');
    put_newline(p);
    p->indent++;
    for (u32 i = 0; i < ast_len(p->ast, n->b); i++) {
        const Node *c = get(p, ast_at(p->ast, n->b, i));
        begin_stmt(p);
        put_indent(p);
        if (c->a) {
            WORD(p, "case");
            put_space(p);
            print_expr(p, c->a, LEVEL_COMMA, 0);
        } else {
            WORD(p, "default");
        }
        put_char(p, ':');
        put_newline(p);
        p->indent++;
        print_stmt_list(p, c->b);
        p->indent--;
    }
    p->semicolon = false;
    p->indent--;
    put_indent(p);
    put_char(p, '}');
}

/* ---- Modules ---- */

static void print_from(Printer *p, NodeId source, ListId attributes)
{
    print_string(p, get(p, source));
    if (attributes) {
        put_space(p);
        WORD(p, "with");
        put_space(p);
        put_char(p, '{');
        for (u32 i = 0; i < ast_len(p->ast, attributes); i++) {
            const Node *a = get(p, ast_at(p->ast, attributes, i));
            if (i) put_char(p, ',');
            put_space(p);
            print_key(p, a->a, false);
            put_char(p, ':');
            put_space(p);
            print_string(p, get(p, a->b));
        }
        put_space(p);
        put_char(p, '}');
    }
    end_stmt(p);
}

static void print_module_name(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_STR)
        print_string(p, n);
    else
        put_word(p, atom_str(p->ast->atoms, n->a));
}

static bool same_module_name(const Printer *p, NodeId x, NodeId y)
{
    const Node *nx = get(p, x), *ny = get(p, y);
    return nx->kind == ny->kind && nx->a == ny->a;
}

/* `{ a as b, ... }` of the specs from `from` on. */
static void print_specs(Printer *p, ListId list, u32 from)
{
    put_char(p, '{');
    bool any = false;
    for (u32 i = from; i < ast_len(p->ast, list); i++) {
        const Node *s = get(p, ast_at(p->ast, list, i));
        if (s->flags & NF_TYPE_ONLY) continue;
        if (any) put_char(p, ',');
        put_space(p);
        any = true;
        put_mark(p, s->pos);
        print_module_name(p, s->a);
        if (!same_module_name(p, s->a, s->b)) {
            put_space(p);
            put_word(p, S("as"));
            put_space(p);
            print_module_name(p, s->b);
        }
    }
    if (any) put_space(p);
    put_char(p, '}');
}

static void print_import(Printer *p, const Node *n)
{
    WORD(p, "import");
    if (n->op == PHASE_DEFER) WORD(p, "defer");
    if (n->op == PHASE_SOURCE) WORD(p, "source");
    u32 len = ast_len(p->ast, n->a), i = 0;
    bool comma = false;
    for (; i < len; i++) {
        const Node *s = get(p, ast_at(p->ast, n->a, i));
        if (s->op == IMPORT_NAMED) break;
        if (comma) put_char(p, ',');
        put_space(p);
        if (s->op == IMPORT_NAMESPACE) PUT(p, "*");
        if (s->op == IMPORT_NAMESPACE) put_space(p);
        if (s->op == IMPORT_NAMESPACE) WORD(p, "as ");
        put_word(p, atom_str(p->ast->atoms, get(p, s->b)->a));
        comma = true;
    }
    if (i < len) {
        if (comma) put_char(p, ',');
        put_space(p);
        print_specs(p, n->a, i);
        comma = true;
    }
    if (comma) {
        put_space(p);
        WORD(p, "from");
    }
    put_space(p);
    print_from(p, n->b, n->c);
}

static void print_export(Printer *p, const Node *n)
{
    WORD(p, "export");
    put_space(p);
    print_specs(p, n->a, 0);
    if (!n->b) {
        end_stmt(p);
        return;
    }
    put_space(p);
    WORD(p, "from");
    put_space(p);
    print_from(p, n->b, n->c);
}

static void print_export_all(Printer *p, const Node *n)
{
    WORD(p, "export");
    put_space(p);
    put_char(p, '*');
    put_space(p);
    if (n->a) {
        WORD(p, "as ");
        print_module_name(p, n->a);
        put_space(p);
    }
    WORD(p, "from");
    put_space(p);
    print_from(p, n->b, n->c);
}

static void print_export_default(Printer *p, const Node *n)
{
    WORD(p, "export default ");
    const Node *v = get(p, n->a);
    if (v->kind == NODE_FUNC_DECL || v->kind == NODE_CLASS_DECL) {
        print_stmt(p, n->a);
        return;
    }
    p->default_start = p->out->len + 1;
    print_expr(p, n->a, LEVEL_YIELD, 0);
    end_stmt(p);
}

/* ---- Statements ---- */

static void print_jump(Printer *p, Str word, Atom label)
{
    put_word(p, word);
    if (label) {
        put_char(p, ' ');
        put(p, atom_str(p->ast->atoms, label));
    }
    end_stmt(p);
}

static void print_value_stmt(Printer *p, Str word, NodeId value)
{
    put_word(p, word);
    if (value) {
        put_space(p);
        print_expr(p, value, LEVEL_COMMA, 0);
    }
    end_stmt(p);
}

static void print_expr_stmt(Printer *p, const Node *n)
{
    if (n->flags & NF_DIRECTIVE) {
        const Node *s = get(p, n->a);
        if (s->b)
            put(p, str_slice(p->ast->source->text, s->pos, s->b));
        else
            print_string(p, s);
    } else {
        p->stmt_start = p->out->len + 1;
        print_expr(p, n->a, LEVEL_COMMA, 0);
    }
    end_stmt(p);
}

static void print_simple(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    switch (n->kind) {
    case NODE_EXPR_STMT: print_expr_stmt(p, n); break;
    case NODE_VAR:
        print_var_head(p, n, 0);
        end_stmt(p);
        break;
    case NODE_RETURN: print_value_stmt(p, S("return"), n->a); break;
    case NODE_THROW: print_value_stmt(p, S("throw"), n->a); break;
    case NODE_BREAK: print_jump(p, S("break"), n->a); break;
    case NODE_CONTINUE: print_jump(p, S("continue"), n->a); break;
    case NODE_EMPTY: put_char(p, ';'); break;
    case NODE_TYPE_DECL: put_char(p, ';'); break;
    case NODE_DEBUGGER: print_value_stmt(p, S("debugger"), 0); break;
    case NODE_IMPORT: print_import(p, n); break;
    case NODE_EXPORT: print_export(p, n); break;
    case NODE_EXPORT_ALL: print_export_all(p, n); break;
    case NODE_EXPORT_DEFAULT: print_export_default(p, n); break;
    case NODE_EXPORT_DECL:
        WORD(p, "export ");
        print_stmt(p, n->a);
        break;
    default: BUG("a node that should have been lowered");
    }
}

void print_stmt(Printer *p, NodeId id)
{
    if (++p->depth > PRINT_DEPTH_MAX) {
        p->too_deep = true;
        p->depth--;
        return;
    }
    const Node *n = get(p, id);
    put_mark(p, n->pos);
    switch (n->kind) {
    case NODE_FUNC_DECL: print_function(p, get(p, n->a), true); break;
    case NODE_CLASS_DECL: print_class(p, get(p, n->a)); break;
    case NODE_BLOCK: print_block_body(p, n->a); break;
    case NODE_IF: print_if(p, id); break;
    case NODE_FOR: print_for(p, n); break;
    case NODE_FOR_IN:
    case NODE_FOR_OF: print_for_each(p, n); break;
    case NODE_WHILE:
        WORD(p, "while");
        print_paren(p, n->a);
        print_body(p, n->b);
        break;
    case NODE_DO: print_do(p, n); break;
    case NODE_WITH:
        WORD(p, "with");
        print_paren(p, n->a);
        print_body(p, n->b);
        break;
    case NODE_TRY: print_try(p, n); break;
    case NODE_SWITCH: print_switch(p, n); break;
    case NODE_LABELED:
        put_word(p, atom_str(p->ast->atoms, n->a));
        put_char(p, ':');
        print_below(p, n->b); /* the label has been counted, and stands before its loop */
        break;
    default: print_simple(p, id);
    }
    p->depth--;
}
