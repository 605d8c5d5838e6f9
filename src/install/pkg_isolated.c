/* install/pkg_isolated.c -- the layout in which packages see what they ask for and nothing else:
 *
 *     node_modules/.bun/NAME@VERSION/node_modules/NAME        the files
 *     node_modules/.bun/NAME@VERSION/node_modules/DEPENDENCY  links to others of these
 *     node_modules/DEPENDENCY                                 links of the project
 *
 * The tree of pkg_tree.c stays the lockfile's; here the same choice of versions becomes another
 * list of nodes.  A package is there once for each meaning that its peers have: those that it
 * names, and those that what it depends on names and it does not bring itself.  They are "open" in
 * it, and who depends on it says what they mean: his own dependency of that name, else what it
 * means for him, at last the choice of the solver.  Found breadth first from the project and its
 * workspaces. */
#include "install/pkg.h"
#include "util/path.h"

#include <string.h>

enum {
    BITS = 64,
    OPEN_MAX = 1 << 23, /* words of all sets */
    RESOLUTION_MAX = 80,
    RESOLUTION_CUT = 63,
};

/* What a name means: a package, 0 nothing. */
typedef struct {
    u32 name, pkg;
} Meaning;

typedef Vec(Meaning) Meanings;

typedef struct {
    PkgRun *run;
    StrMap names; /* of peers -> index */
    Vec(Str) by_index;
    u32 n_words;
    u64 *open, *own;        /* sets of names for each package: open in it; its dependencies */
    Vec(PkgNode) nodes;     /* the new list */
    Vec(Meanings) meanings; /* for each of them */
    StrMap by_key;
    u32 *links; /* package -> node, of those that are linked to where they are */
} Isolated;

/* ---- Open peers ------------------------------------------------------------------------------ */

static u64 *set_of(const Isolated *iso, u64 *sets, u32 pkg)
{
    return sets + (usize)pkg * iso->n_words;
}

static void add(u64 *set, u32 name)
{
    set[name / BITS] |= 1ULL << name % BITS;
}

static bool has(const u64 *set, u32 name)
{
    return set[name / BITS] >> name % BITS & 1;
}

static void name_peers(Isolated *iso)
{
    PkgRun *run = iso->run;
    bool is_new;
    for (u32 i = 1; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        for (u32 j = 0; j < pkg->deps.len; j++) {
            if (pkg->deps.at[j].kind != PKG_PEER || pkg->workspace.n) continue;
            u64 *slot = str_map_put(run->arena, &iso->names, pkg->deps.at[j].name, &is_new);
            if (!is_new) continue;
            *slot = iso->by_index.len;
            vec_push(run->arena, &iso->by_index, pkg->deps.at[j].name);
        }
    }
    iso->n_words = iso->by_index.len / BITS + 1;
}

/* What is open in what the package depends on.  Is anything new? */
static bool open_more(Isolated *iso, u32 index)
{
    const Pkg *pkg = &iso->run->pkgs.at[index];
    u64 *open = set_of(iso, iso->open, index);
    const u64 *own = set_of(iso, iso->own, index);
    bool is_more = false;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        u32 to = pkg->deps.at[i].to;
        const u64 *theirs = set_of(iso, iso->open, to);
        for (u32 w = 0; to && w < iso->n_words; w++) {
            u64 more = theirs[w] & ~own[w] & ~open[w];
            open[w] |= more;
            is_more |= more != 0;
        }
    }
    return is_more;
}

static bool find_open(Isolated *iso)
{
    PkgRun *run = iso->run;
    name_peers(iso);
    usize n = (usize)run->pkgs.len * iso->n_words;
    if (n > OPEN_MAX)
        return log_error(run->log, (Span){0},
                         "There are too many peer dependencies for the "
                         "isolated linker: --linker=hoisted has no such limit");
    iso->open = ARENA_ARRAY(run->arena, u64, n);
    iso->own = ARENA_ARRAY(run->arena, u64, n);
    for (u32 i = 0; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        for (u32 j = 0; j < pkg->deps.len; j++) {
            u64 *name = str_map_find(&iso->names, pkg->deps.at[j].name);
            bool is_peer = pkg->deps.at[j].kind == PKG_PEER && i && !pkg->workspace.n;
            if (name) add(set_of(iso, is_peer ? iso->open : iso->own, i), (u32)*name);
        }
    }
    bool is_more = true;
    while (is_more) {
        is_more = false;
        for (u32 i = run->pkgs.len - 1; i > 0; i--)
            if (!run->pkgs.at[i].workspace.n) is_more |= open_more(iso, i);
    }
    return true;
}

/* ---- Names of folders ------------------------------------------------------------------------ */

/* The same in every run, unlike str_hash. */
static u64 hash_of(Str s)
{
    u64 h = 14695981039346656037ULL;
    for (usize i = 0; i < s.n; i++) h = (h ^ (u8)s.p[i]) * 1099511628211ULL;
    return h;
}

static void put_clean(Buf *out, Str text)
{
    for (usize i = 0; i < text.n; i++)
        (void)buf_push_char(out, memchr("/\\:#?", text.p[i], 5) ? '+' : text.p[i]);
}

/* "@scope+name@1.2.3", with a hash behind it when the peers mean something. */
static Str store_name(Isolated *iso, const Pkg *pkg, const Meanings *meanings)
{
    PkgRun *run = iso->run;
    AUTO(Buf) out = {0};
    AUTO(Buf) peers = {0};
    Str resolution = pkg->version_text;
    put_clean(&out, pkg->name);
    (void)buf_push_char(&out, '@');
    bool is_long = resolution.n > RESOLUTION_MAX;
    put_clean(&out, is_long ? str_slice(resolution, 0, RESOLUTION_CUT) : resolution);
    if (is_long) buf_fmt(&out, "+%016llx", (unsigned long long)hash_of(resolution));
    if (pkg->kind == PKG_TARBALL)
        buf_fmt(&out, "+%016llx", (unsigned long long)hash_of(pkg->integrity));
    for (u32 i = 0; i < meanings->len; i++) {
        const Pkg *peer = &run->pkgs.at[meanings->at[i].pkg];
        buf_fmt(&peers, "%.*s=%.*s@%.*s\n", STR_ARG(iso->by_index.at[meanings->at[i].name]),
                STR_ARG(peer->name), STR_ARG(peer->version_text));
    }
    if (peers.len) buf_fmt(&out, "+%016llx", (unsigned long long)hash_of(buf_str(&peers)));
    return str_dup(run->arena, buf_str(&out));
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static u32 meaning_of(const Meanings *all, u32 name)
{
    for (u32 i = 0; i < all->len; i++)
        if (all->at[i].name == name) return all->at[i].pkg;
    return 0;
}

/* What the dependency means for the node. */
static u32 target_of(const Isolated *iso, u32 node, const PkgDep *dep)
{
    u64 *name = dep->kind == PKG_PEER ? str_map_find(&iso->names, dep->name) : NULL;
    u32 meant = name ? meaning_of(&iso->meanings.at[node], (u32)*name) : 0;
    return meant ? meant : dep->to;
}

static u32 own_target(const Isolated *iso, u32 node, Str name)
{
    const Pkg *pkg = &iso->run->pkgs.at[iso->nodes.at[node].pkg];
    for (u32 i = 0; i < pkg->deps.len; i++)
        if (str_eq(pkg->deps.at[i].name, name)) return target_of(iso, node, &pkg->deps.at[i]);
    return 0;
}

/* What the names that are open in a package mean, when the node asks for it. */
static Meanings meanings_for(Isolated *iso, u32 node, u32 pkg)
{
    Meanings out = {0};
    const u64 *open = set_of(iso, iso->open, pkg);
    bool is_workspace = iso->run->pkgs.at[iso->nodes.at[node].pkg].workspace.n > 0;
    for (u32 name = 0; name < iso->by_index.len; name++) {
        if (!has(open, name)) continue;
        Str text = iso->by_index.at[name];
        u32 meant = own_target(iso, node, text);
        if (!meant) meant = meaning_of(&iso->meanings.at[node], name);
        if (!meant && is_workspace) meant = own_target(iso, 0, text);
        if (!meant) { /* nobody above says: the solver's choice, if it is the package's own */
            const Pkg *p = &iso->run->pkgs.at[pkg];
            for (u32 i = 0; i < p->deps.len && !meant; i++)
                if (str_eq(p->deps.at[i].name, text)) meant = p->deps.at[i].to;
        }
        if (meant) vec_push(iso->run->arena, &out, (Meaning){name, meant});
    }
    return out;
}

static u32 add_node(Isolated *iso, u32 pkg, Str store, Meanings meanings)
{
    Arena *a = iso->run->arena;
    u32 index = iso->nodes.len;
    PkgNode node = {.pkg = pkg, .depth = 1, .name = iso->run->pkgs.at[pkg].name, .store = store};
    vec_push(a, &iso->nodes, node);
    vec_push(a, &iso->meanings, meanings);
    return index;
}

/* The node of a package, as the node `from` sees it. */
static u32 node_for(Isolated *iso, u32 from, u32 pkg)
{
    PkgRun *run = iso->run;
    const Pkg *p = &run->pkgs.at[pkg];
    bool is_new, is_link = p->workspace.n || p->kind == PKG_LINK;
    if (is_link) {
        if (!iso->links[pkg]) iso->links[pkg] = add_node(iso, pkg, S(""), (Meanings){0});
        return iso->links[pkg];
    }
    Meanings meanings = meanings_for(iso, from, pkg);
    Str store = store_name(iso, p, &meanings);
    u64 *slot = str_map_put(run->arena, &iso->by_key, store, &is_new);
    if (is_new) *slot = add_node(iso, pkg, store, meanings);
    return (u32)*slot;
}

static void take_deps(Isolated *iso, u32 node)
{
    PkgRun *run = iso->run;
    const Pkg *pkg = &run->pkgs.at[iso->nodes.at[node].pkg];
    if (pkg->kind == PKG_LINK) return; /* its folder is somebody else's */
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *dep = &pkg->deps.at[i];
        u32 to = target_of(iso, node, dep);
        if (!to || dep->is_bundled || !pkg_is_wanted(run, dep) || run->pkgs.at[to].is_elsewhere)
            continue;
        u32 found = node_for(iso, node, to);
        *str_map_put(run->arena, &iso->nodes.at[node].by_name, dep->name, NULL) = found;
    }
}

bool pkg_isolate(PkgRun *run)
{
    Isolated iso = {.run = run};
    if (!find_open(&iso)) return false;
    iso.links = ARENA_ARRAY(run->arena, u32, run->pkgs.len);
    (void)add_node(&iso, 0, S(""), (Meanings){0});
    iso.nodes.at[0].depth = 0;
    for (u32 i = 1; i < run->pkgs.len && run->pkgs.at[i].workspace.n; i++)
        (void)node_for(&iso, 0, i);
    for (u32 i = 0; i < iso.nodes.len; i++) {
        if (iso.nodes.len >= PKG_COUNT_MAX)
            return log_error(run->log, (Span){0}, "There are too many packages");
        take_deps(&iso, i);
    }
    run->nodes.at = iso.nodes.at;
    run->nodes.len = iso.nodes.len;
    run->nodes.cap = iso.nodes.cap;
    return true;
}
