/* syntax/comments.c -- see comments.h. */
#include "syntax/comments.h"

#include <string.h>

static const char *find(const char *p, const char *end, const char *word)
{
    if (p >= end) return NULL;
    return memmem(p, (usize)(end - p), word, strlen(word));
}

/* ---- Legal comments ---- */

static const char *find_back(const char *begin, const char *p, const char *two)
{
    while (p > begin) {
        p--;
        if (p[0] == two[0] && p[1] == two[1]) return p;
    }
    return NULL;
}

/* The block comment, or else the line comment, around `at`; of no length if there is none. */
static Comment comment_around(Str text, const char *at)
{
    const char *end = text.p + text.n, *line = at;
    const char *open = find_back(text.p, at, "/*"),
               *close = open ? find(open + 2, end, "*/") : NULL;
    if (close && close >= at) return (Comment){(u32)(open - text.p), (u32)(close + 2 - open)};
    while (line > text.p && line[-1] != '\n' && line[-1] != '\r') line--;
    open = find(line, at, "//");
    if (!open) return (Comment){0};
    while (at < end && *at != '\n' && *at != '\r') at++;
    return (Comment){(u32)(open - text.p), (u32)(at - open)};
}

/* Comments that lie in strings, templates or JSX text go. */
static void drop_inside_literals(const Ast *t, Comments *c)
{
    for (NodeId i = 1; i < t->n_nodes; i++) {
        const Node *n = ast_node(t, i);
        u32 from = n->pos, to = 0;
        if (n->kind == NODE_STR)
            to = n->b;
        else if (n->kind == NODE_JSX_TEXT || n->kind == NODE_JSX_STR)
            to = n->b;
        for (u32 k = 0; k < c->len && to; k++)
            if (c->at[k].pos > from && c->at[k].pos < to) c->at[k].len = 0;
        for (u32 p = 0; n->kind == NODE_TEMPLATE && p + 1 < ast_len(t, n->b); p += 2) {
            for (u32 k = 0; k < c->len; k++) {
                bool in =
                    c->at[k].pos >= ast_at(t, n->b, p) && c->at[k].pos < ast_at(t, n->b, p + 1);
                if (in) c->at[k].len = 0;
            }
        }
    }
}

enum { LEGAL_MAX = 64 }; /* more in one file are not kept */

static void add(Arena *a, Comments *c, Comment found)
{
    if (!found.len || c->len >= LEGAL_MAX) return;
    u32 i = c->len;
    vec_push(a, c, found);
    for (; i > 0 && c->at[i - 1].pos > found.pos; i--) c->at[i] = c->at[i - 1];
    c->at[i] = found;
    if (i > 0 && c->at[i - 1].pos == found.pos) {
        memmove(&c->at[i], &c->at[i + 1], (c->len - i - 1) * sizeof(Comment));
        c->len--;
    }
}

static void find_all(Str text, const char *word, Arena *a, Comments *c)
{
    const char *end = text.p + text.n;
    for (const char *p = text.p; c->len < LEGAL_MAX && (p = find(p, end, word));
         p += strlen(word)) {
        add(a, c, comment_around(text, word[0] == '/' ? p + 2 : p));
    }
}

void comments_legal(const Ast *t, Arena *a, Comments *ret)
{
    static const char *const words[] = {"/*!", "//!", "@license", "@preserve"};
    *ret = (Comments){0};
    for (u32 i = 0; i < COUNT(words); i++) find_all(t->source->text, words[i], a, ret);
    if (!ret->len) return;
    drop_inside_literals(t, ret);
    u32 n = 0;
    for (u32 i = 0; i < ret->len; i++)
        if (ret->at[i].len) ret->at[n++] = ret->at[i];
    ret->len = n;
}

/* ---- Pure annotations ---- */

static bool is_pure_comment(Str text, u32 pos)
{
    const char *p = text.p + pos;
    while (p > text.p && IS_CLASS(p[-1], CC_SPACE)) p--;
    while (p > text.p && (p[-1] == ' ' || p[-1] == '\n' || p[-1] == '\t' || p[-1] == '\r')) p--;
    if (p - text.p < 4 || p[-1] != '/' || p[-2] != '*') return false;
    const char *to = p - 2, *from = to;
    while (from > text.p && !(from[0] == '*' && from[-1] == '/')) from--;
    if (from == text.p) return false;
    return find(from + 1, to, "@__PURE__") || find(from + 1, to, "#__PURE__");
}

void comments_mark_pure(Ast *t)
{
    Str text = t->source->text;
    if (!find(text.p, text.p + text.n, "__PURE__")) return;
    u32 last = UINT32_MAX;
    for (NodeId i = 1; i < t->n_nodes; i++) {
        Node *n = ast_node(t, i);
        if (n->kind != NODE_CALL && n->kind != NODE_NEW) continue;
        /* Of calls that begin at one place the innermost is meant. */
        if (n->pos == last || !is_pure_comment(text, n->pos)) continue;
        last = n->pos;
        n->flags |= NF_PURE;
    }
}
