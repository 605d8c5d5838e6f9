/* syntax/comments.c -- see comments.h. */
#include "syntax/comments.h"

#include <string.h>

static const char *find(const char *p, const char *end, const char *word)
{
    if (p >= end) return NULL;
    return memmem(p, (usize)(end - p), word, strlen(word));
}

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
    if (!t->notes.pure) return;
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
