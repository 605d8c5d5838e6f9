/* cli/cli_pm_ls.c -- `cob pm ls`, `cob pm hash`: what the lockfile has. */
#include "cli/pm.h"
#include "util/glob.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

typedef Vec(u32) Places;

/* Those that something else than devDependencies of the project leads to. */
static void mark_production(Arena *a, const PkgProject *p, bool *ret)
{
    Places queue = {0};
    vec_push(a, &queue, 0);
    ret[0] = true;
    while (queue.len) {
        const PkgPlace *place = &p->places[vec_pop(&queue)];
        for (u32 i = 0; i < place->n_edges; i++) {
            const PkgEdge *edge = &place->edges[i];
            if (edge->kind == PKG_EDGE_DEV || !edge->to || ret[edge->to]) continue;
            ret[edge->to] = true;
            vec_push(a, &queue, edge->to);
        }
    }
}

static bool is_asked_by_project(const PkgProject *p, u32 place)
{
    for (u32 i = 0; i < p->places[0].n_edges; i++)
        if (p->places[0].edges[i].to == place) return true;
    return p->places[place].workspace.n > 0;
}

/* The place whose node_modules holds it: the longest path that is one. */
static u32 parent_of(Arena *a, const PkgProject *p, u32 place)
{
    const PkgPlace *at = &p->places[place];
    if (at->path.n == at->alias.n) return 0;
    Str up = str_slice(at->path, 0, at->path.n - at->alias.n - 1);
    u64 *slot = str_map_find(&p->by_path, up);
    (void)a;
    return slot ? (u32)*slot : 0;
}

static void print_place(const PkgPlace *place)
{
    (void)printf("%.*s@%.*s\n", STR_ARG(place->name), STR_ARG(place->version));
}

typedef struct {
    const PkgProject *project;
    Places *below; /* of each place */
    Buf prefix;
} Tree;

/* As deep as the paths of the lockfile are; its reader limits them. */
static void print_tree(Tree *t, u32 at, u32 depth)
{
    enum { DEPTH_MAX = 256 };
    for (u32 i = 0; i < t->below[at].len && depth < DEPTH_MAX; i++) {
        bool is_last = i + 1 == t->below[at].len;
        u32 place = t->below[at].at[i];
        (void)printf("%.*s%s ", STR_ARG(buf_str(&t->prefix)), is_last ? "└──" : "├──");
        print_place(&t->project->places[place]);
        usize before = t->prefix.len;
        (void)buf_push(&t->prefix, is_last ? S("    ") : S("│   "));
        print_tree(t, place, depth + 1);
        t->prefix.len = before;
    }
}

static bool is_named(Pm *pm, const PkgPlace *place)
{
    for (u32 i = 0; i < pm->args.len; i++) {
        const Glob *glob = glob_new(pm->cli->arena, pm->args.at[i], 0);
        if (glob && glob_match(glob, place->name)) return true;
    }
    return false;
}

int cli_pm_ls(Pm *pm)
{
    Arena *a = pm->cli->arena;
    PkgProject p;
    if (!pkg_project_read(a, pm->pkg.dir, &pm->log, &p)) return 1;
    bool *is_in = ARENA_ARRAY(a, bool, p.n_places);
    bool has_names = pm->args.len > 0, is_flat = has_names || !pm->options->all;
    u32 n_in = 0, n_shown = 0;
    if (pm->options->production) mark_production(a, &p, is_in);
    Tree t = {.project = &p, .below = ARENA_ARRAY(a, Places, p.n_places)};
    for (u32 i = 1; i < p.n_places; i++) {
        if (pm->options->production && !is_in[i]) continue;
        n_in++;
        bool is_one =
            has_names ? is_named(pm, &p.places[i]) : pm->options->all || is_asked_by_project(&p, i);
        if (!is_one) continue;
        n_shown++;
        vec_push(a, &t.below[is_flat ? 0 : parent_of(a, &p, i)], i);
    }
    (void)printf("%.*s node_modules", STR_ARG(pm->pkg.dir));
    if (is_flat && !has_names) (void)printf(" (%u installed)", n_in);
    (void)printf("\n");
    print_tree(&t, 0, 0);
    Buf_deinit(&t.prefix);
    if (!has_names || n_shown) return 0;
    return !log_error(&pm->log, (Span){0}, "no packages match: %.*s", STR_ARG(pm->args.at[0]));
}

/* ---- Hash ------------------------------------------------------------------------------------ */

static int by_text(const void *x, const void *y)
{
    return str_cmp(*(const Str *)x, *(const Str *)y);
}

static bool list_text(Pm *pm, Buf *out)
{
    Arena *a = pm->cli->arena;
    PkgProject p;
    if (!pkg_project_read(a, pm->pkg.dir, &pm->log, &p)) return false;
    Str *lines = ARENA_ARRAY(a, Str, p.n_places);
    u32 n = 0;
    for (u32 i = 1; i < p.n_places; i++)
        lines[n++] =
            str_fmt(a, "%.*s@%.*s", STR_ARG(p.places[i].name), STR_ARG(p.places[i].version));
    if (n) qsort(lines, n, sizeof *lines, by_text);
    (void)buf_push(out, S("\n-- BEGIN SHA512/256(`${alphabetize(name)}@${order(version)}`) --\n"));
    for (u32 i = 0; i < n; i++)
        if (!i || !str_eq(lines[i], lines[i - 1])) (void)buf_fmt(out, "%.*s\n", STR_ARG(lines[i]));
    (void)buf_push(out, S("-- END HASH--\n"));
    return true;
}

int cli_pm_hash_string(Pm *pm)
{
    AUTO(Buf) text = {0};
    if (!list_text(pm, &text)) return 1;
    (void)printf("%.*s", STR_ARG(buf_str(&text)));
    return 0;
}

/* Four groups, large and small letters by turns: so people see at once which part differs. */
static void print_hash(const u8 *digest, u32 n)
{
    enum { GROUP = 8 };
    for (u32 i = 0; i < n; i++) {
        bool is_small = i / GROUP % 2 == 1;
        (void)printf("%s", i && i % GROUP == 0 ? "-" : "");
        (void)printf(is_small ? "%02x" : "%02X", digest[i]);
    }
    (void)printf("\n");
}

int cli_pm_hash(Pm *pm)
{
    AUTO(Buf) text = {0};
    u8 digest[EVP_MAX_MD_SIZE];
    u32 n = 0;
    if (!list_text(pm, &text)) return 1;
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA512-256", NULL);
    bool ok = md && EVP_Digest(text.p, text.len, digest, &n, md, NULL);
    EVP_MD_free(md);
    if (!ok) return !log_error(&pm->log, (Span){0}, "SHA512/256 is not there");
    print_hash(digest, n);
    return 0;
}

/* The text lockfile keeps none. */
int cli_pm_hash_print(Pm *pm)
{
    static const u8 none[32];
    (void)pm;
    print_hash(none, sizeof none);
    return 0;
}
