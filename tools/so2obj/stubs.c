/* stubs.c -- aborting stand-ins for functions that an embedder never reaches.
 *
 * A library may import functions for a part of it that the program does not use.  Instead of
 * linking the libraries that have them, each such function gets a stand-in that says its name and
 * aborts. */
#include "so2obj.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Sym *p;
    size_t len, cap;
} SymList;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Sym *)a)->name, ((const Sym *)b)->name);
}

/* All global symbols of `elf` that are undefined, or all that are not, sorted by name. */
static bool list_symbols(const Elf *elf, bool undefined, Report *report, SymList *to)
{
    for (uint32_t i = 1; i < elf->n_syms; i++) {
        Sym sym;
        if (!elf_sym(elf, i, report, &sym)) return false;
        if (sym.bind == STB_LOCAL || !*sym.name) continue;
        if (sym_is_undefined(&sym) == undefined) VEC_PUSH(to, sym);
    }
    if (to->len) qsort(to->p, to->len, sizeof *to->p, by_name);
    return true;
}

static bool is_c_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    }
    return true;
}

static void print_head(FILE *f)
{
    (void)fputs("/* Made by so2obj: stand-ins for functions that are never called. */\n"
                "#include <stdlib.h>\n"
                "#include <unistd.h>\n"
                "\n"
                "static _Noreturn void stub_called(const char *message, size_t len)\n"
                "{\n"
                "    ssize_t written = write(2, message, len);\n"
                "    (void)written;\n"
                "    abort();\n"
                "}\n"
                "\n"
                "#define STUB(name)                                                    \\\n"
                "    void name(void);                                                  \\\n"
                "    void name(void)                                                   \\\n"
                "    {                                                                 \\\n"
                "        static const char message[] =                                 \\\n"
                "            \"cob: internal error: stub \" #name \" called\\n\";          \\\n"
                "        stub_called(message, sizeof message - 1);                     \\\n"
                "    }\n"
                "\n",
                f);
}

/* Prints the stand-ins for what is in both lists of the two files; counts them. */
static bool print_stubs(FILE *f, const Elf *elf, const SymList *needs, const SymList *defs,
                        Report *report, uint32_t *ret_count)
{
    const char *before = "";
    for (size_t i = 0; i < needs->len; i++) {
        const char *name = needs->p[i].name;
        const Sym *def =
            defs->len ? bsearch(&needs->p[i], defs->p, defs->len, sizeof *defs->p, by_name) : NULL;
        if (!def || strcmp(name, before) == 0) continue;
        before = name;
        if (def->type != STT_FUNC && def->type != STT_GNU_IFUNC)
            return fail(report, elf->path, "needs %s, which is data; there are no stubs for data",
                        name);
        if (!is_c_name(name))
            return fail(report, elf->path, "needs %s; only C names can have stubs", name);
        (void)fprintf(f, "STUB(%s)\n", name);
        (*ret_count)++;
    }
    return true;
}

bool stubs_write(const Elf *elf, const Elf *libs, uint32_t n_libs, const char *path, Report *report,
                 uint32_t *ret_count)
{
    SymList needs = {0}, defs = {0};
    *ret_count = 0;
    FILE *f = fopen(path, "w");
    if (!f) return fail(report, path, "cannot be created: %s", strerror(errno));
    bool ok = list_symbols(elf, true, report, &needs);
    for (uint32_t i = 0; ok && i < n_libs; i++) ok = list_symbols(&libs[i], false, report, &defs);
    print_head(f);
    ok = ok && print_stubs(f, elf, &needs, &defs, report, ret_count);
    if (ok && ferror(f)) ok = fail(report, path, "cannot be written: %s", strerror(errno));
    if (fclose(f) != 0 && ok) ok = fail(report, path, "cannot be written: %s", strerror(errno));
    if (!ok) (void)unlink(path);
    free(needs.p);
    free(defs.p);
    return ok;
}
