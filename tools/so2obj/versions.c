/* versions.c -- symbol versions.
 *
 * The object that so2obj writes names symbols without versions, and a linker then takes a library's
 * default one.  That is right exactly when the input wanted the default, which is checked here. */
#include "so2obj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_HIDDEN 0x8000u
#define VERSION_MASK   0x7fffu
#define VERSIONS_MAX   0x8000u

/* What the version numbers of a file stand for: the name, and for imports the library it is of. */
typedef struct {
    const char *name, *lib;
} Version;

static const char *string_at(const Elf *elf, uint64_t offset)
{
    if (offset >= elf->strings.size) return NULL;
    return (const char *)elf_at(elf, elf->strings.addr + offset, 1);
}

static bool broken(const Elf *elf, Report *report)
{
    return fail(report, elf->path, "has a broken table of symbol versions");
}

/* Reads what is needed of one library at `*at` and moves `*at` to the next; `*left` is how many
 * more versions may follow, a limit against tables that overlap themselves. */
static bool read_need(const Elf *elf, Version *table, Report *report, uint64_t *at, uint32_t *left)
{
    Elf64_Verneed need;
    const uint8_t *p = elf_at(elf, *at, sizeof need);
    if (!p) return broken(elf, report);
    memcpy(&need, p, sizeof need);
    if (need.vn_cnt > *left) return broken(elf, report);
    *left -= need.vn_cnt;
    const char *lib = string_at(elf, need.vn_file);
    uint64_t aux_at = *at + need.vn_aux;
    for (uint32_t i = 0; i < need.vn_cnt; i++) {
        Elf64_Vernaux aux;
        p = elf_at(elf, aux_at, sizeof aux);
        if (!p) return broken(elf, report);
        memcpy(&aux, p, sizeof aux);
        const char *name = string_at(elf, aux.vna_name);
        if (!name || !lib) return broken(elf, report);
        table[aux.vna_other & VERSION_MASK] = (Version){name, lib};
        aux_at += aux.vna_next;
    }
    *at += need.vn_next;
    return true;
}

static bool read_def(const Elf *elf, Version *table, Report *report, uint64_t *at)
{
    Elf64_Verdef def;
    Elf64_Verdaux aux;
    const uint8_t *p = elf_at(elf, *at, sizeof def);
    if (!p) return broken(elf, report);
    memcpy(&def, p, sizeof def);
    p = elf_at(elf, *at + def.vd_aux, sizeof aux);
    if (!p) return broken(elf, report);
    memcpy(&aux, p, sizeof aux);
    const char *name = string_at(elf, aux.vda_name);
    if (!name) return broken(elf, report);
    table[def.vd_ndx & VERSION_MASK] = (Version){name, NULL};
    *at += def.vd_next;
    return true;
}

/* Returns a table of VERSIONS_MAX entries that the caller frees, or NULL. */
static Version *read_versions(const Elf *elf, Report *report)
{
    Version *table = mem_zero(VERSIONS_MAX, sizeof *table);
    bool ok = true;
    uint32_t left = VERSIONS_MAX;
    uint64_t at = elf->verneed;
    uint64_t n = elf->verneed ? elf->n_verneed : 0;
    if (n > VERSIONS_MAX) ok = broken(elf, report);
    for (uint64_t i = 0; ok && i < n; i++) ok = read_need(elf, table, report, &at, &left);
    at = elf->verdef;
    n = elf->verdef ? elf->n_verdef : 0;
    if (n > VERSIONS_MAX) ok = broken(elf, report);
    for (uint64_t i = 0; ok && i < n; i++) ok = read_def(elf, table, report, &at);
    if (ok) return table;
    free(table);
    return NULL;
}

static uint16_t version_of(const Elf *elf, uint32_t index)
{
    uint16_t version = VER_NDX_GLOBAL;
    const uint8_t *p = elf->versym ? elf_at(elf, elf->versym + 2 * (uint64_t)index, 2) : NULL;
    if (p) memcpy(&version, p, sizeof version);
    return version;
}

/* A symbol with its version, for sorting by name. */
typedef struct {
    Sym sym;
    const char *version, *lib; /* NULL when there is none */
    bool hidden;
} Named;

typedef struct {
    Named *p;
    size_t len, cap;
} NamedVec;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Named *)a)->sym.name, ((const Named *)b)->sym.name);
}

/* All symbols of `elf` that are defined, or all that are not, sorted by name; the caller frees
 * `ret->p`, also after a failure. */
static bool collect(const Elf *elf, bool undefined, Report *report, NamedVec *ret)
{
    *ret = (NamedVec){0};
    Version *table = read_versions(elf, report);
    if (!table) return false;
    bool ok = true;
    for (uint32_t i = 1; ok && i < elf->n_syms; i++) {
        Named named = {0};
        ok = elf_sym(elf, i, report, &named.sym);
        if (!ok || sym_is_undefined(&named.sym) != undefined || !*named.sym.name) continue;
        if (named.sym.bind == STB_LOCAL) continue;
        uint16_t version = version_of(elf, i);
        named.version = table[version & VERSION_MASK].name;
        named.lib = table[version & VERSION_MASK].lib;
        named.hidden = version & VERSION_HIDDEN;
        VEC_PUSH(ret, named);
    }
    free(table);
    if (ok && ret->len) qsort(ret->p, ret->len, sizeof *ret->p, by_name);
    return ok;
}

bool versions_check_input(const Elf *elf, Report *report)
{
    NamedVec needs;
    bool ok = collect(elf, true, report, &needs);
    for (size_t i = 1; ok && i < needs.len; i++) {
        const Named *a = &needs.p[i - 1], *b = &needs.p[i];
        if (strcmp(a->sym.name, b->sym.name) != 0) continue;
        ok = fail(report, elf->path,
                  "needs %s in two versions, %s and %s; an object can name only one of them",
                  a->sym.name, a->version ? a->version : "none", b->version ? b->version : "none");
    }
    free(needs.p);
    return ok;
}

bool versions_check_absent(const Elf *elf, const char *name, Report *report)
{
    NamedVec needs;
    bool ok = collect(elf, true, report, &needs);
    for (size_t i = 0; ok && i < needs.len; i++) {
        if (strcmp(needs.p[i].sym.name, name) != 0) continue;
        ok = fail(report, elf->path, "needs %s, which --forbid says it must not", name);
    }
    free(needs.p);
    return ok;
}

/* The definition in `defs` that a link takes for `name`: the one that is not hidden. */
static const Named *find_default(const NamedVec *defs, const char *name)
{
    Named key = {.sym.name = name};
    const Named *found = defs->len ? bsearch(&key, defs->p, defs->len, sizeof key, by_name) : NULL;
    if (!found) return NULL;
    while (found > defs->p && by_name(found - 1, &key) == 0) found--;
    for (; found < defs->p + defs->len && by_name(found, &key) == 0; found++) {
        if (!found->hidden) return found;
    }
    return NULL;
}

bool versions_check_lib(const Elf *elf, const Elf *lib, Report *report)
{
    NamedVec needs = {0}, defs = {0};
    bool ok = collect(elf, true, report, &needs) && collect(lib, false, report, &defs);
    for (size_t i = 0; ok && i < needs.len; i++) {
        const Named *need = &needs.p[i];
        if (!need->version || !need->lib || strcmp(need->lib, lib->soname) != 0) continue;
        const Named *def = find_default(&defs, need->sym.name);
        if (def && def->version && strcmp(def->version, need->version) == 0) continue;
        if (!def && need->sym.bind == STB_WEAK) continue;
        ok = fail(report, elf->path,
                  "needs %s in version %s of %s, but a link with %s takes %s; use the libraries of "
                  "the system that the input was built for",
                  need->sym.name, need->version, need->lib, lib->path,
                  def && def->version ? def->version : "none");
    }
    free(needs.p);
    free(defs.p);
    return ok;
}
