/* main.c -- so2obj: turns a shared object into a relocatable object for a fixed address. */
#include "so2obj.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VALUES_MAX     16
#define PREFIX_LEN_MAX 24

static const char usage[] =
    "Usage: so2obj --base ADDR --prefix NAME -o OUT.o --args OUT.ld [OPTION]... INPUT.so\n"
    "\n"
    "Turns an x86-64 ELF shared object into a relocatable object that holds its segments, "
    "relocated\n"
    "for the address ADDR.  Link it into an executable with -no-pie and @OUT.ld.\n"
    "\n"
    "  --base ADDR            where the image goes, a multiple of 4096 (such as 0x20000000)\n"
    "  --prefix NAME          start of the names of sections and of NAME_image_start and others\n"
    "  -o OUT.o               the object to write\n"
    "  --args OUT.ld          the link arguments to write, one a line\n"
    "  --export P[,P...]      export the symbols that match one of the shell patterns\n"
    "  --export-file FILE     the same, one pattern a line; # starts a comment\n"
    "  --stubs OUT.c          write aborting functions for what only the --stub-from libraries "
    "have\n"
    "  --stub-from LIB.so     a library that is not linked (may be repeated)\n"
    "  --check-versions LIB.so  a library that is linked: refuse when the input needs a version "
    "of\n"
    "                         a symbol that is not its default one (may be repeated)\n"
    "  --divert FROM=TO       call TO, which the executable has, where the input calls its own "
    "exported\n"
    "                         FROM through its jump table (may be repeated)\n"
    "  --forbid SYMBOL        refuse an input that imports SYMBOL (may be repeated)\n"
    "  --verbose              say what was done\n"
    "  --help                 print this\n";

typedef struct {
    char **p;
    size_t len, cap;
} TextVec;

typedef struct {
    const char *input, *output, *args, *stubs, *base, *prefix, *export_file;
    char *exports; /* is cut into pieces in place */
    const char *stub_libs[VALUES_MAX], *version_libs[VALUES_MAX], *forbidden[VALUES_MAX];
    uint32_t n_stub_libs, n_version_libs, n_forbidden;
    Divert diverts[VALUES_MAX];
    uint32_t n_diverts;
    bool is_verbose;
} Options;

static bool bad_usage(Report *report, const char *what, const char *arg)
{
    return fail(report, "so2obj", "%s%s; see so2obj --help", what, arg);
}

static bool add_value(Report *report, const char **values, uint32_t *n, const char *value)
{
    if (*n == VALUES_MAX) return bad_usage(report, "an option was repeated too often: ", value);
    values[(*n)++] = value;
    return true;
}

/* Cuts FROM=TO in place. */
static bool add_divert(Report *report, Options *options, char *value)
{
    char *to = strchr(value, '=');
    if (!to || to == value || !to[1])
        return bad_usage(report, "--divert wants FROM=TO, not ", value);
    if (options->n_diverts == VALUES_MAX)
        return bad_usage(report, "an option was repeated too often: ", value);
    *to = 0;
    options->diverts[options->n_diverts++] = (Divert){.from = value, .to = to + 1};
    return true;
}

static bool set_option(Options *options, const char *name, char *value, Report *report)
{
    if (strcmp(name, "--export") == 0) {
        options->exports = value;
        return true;
    }
    const struct {
        const char *name;
        const char **place;
    } texts[] = {
        {"-o", &options->output},       {"--args", &options->args},
        {"--stubs", &options->stubs},   {"--base", &options->base},
        {"--prefix", &options->prefix}, {"--export-file", &options->export_file},
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        if (strcmp(name, texts[i].name) != 0) continue;
        *texts[i].place = value;
        return true;
    }
    if (strcmp(name, "--stub-from") == 0)
        return add_value(report, options->stub_libs, &options->n_stub_libs, value);
    if (strcmp(name, "--check-versions") == 0)
        return add_value(report, options->version_libs, &options->n_version_libs, value);
    if (strcmp(name, "--divert") == 0) return add_divert(report, options, value);
    if (strcmp(name, "--forbid") == 0)
        return add_value(report, options->forbidden, &options->n_forbidden, value);
    return bad_usage(report, "unknown option ", name);
}

static bool parse_options(Options *options, int argc, char **argv, Report *report)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0) {
            options->is_verbose = true;
        } else if (argv[i][0] == '-') {
            if (i + 1 == argc) return bad_usage(report, "no value for ", argv[i]);
            if (!set_option(options, argv[i], argv[i + 1], report)) return false;
            i++;
        } else if (options->input) {
            return bad_usage(report, "more than one input: ", argv[i]);
        } else {
            options->input = argv[i];
        }
    }
    if (!options->input) return bad_usage(report, "no input", "");
    if (!options->output) return bad_usage(report, "no output: -o is missing", "");
    if (!options->args) return bad_usage(report, "--args is missing", "");
    if (!*options->base) return bad_usage(report, "--base is missing", "");
    if (!*options->prefix) return bad_usage(report, "--prefix is missing", "");
    return true;
}

static bool check_prefix(const char *prefix, Report *report)
{
    size_t len = strlen(prefix);
    bool ok = len > 0 && len <= PREFIX_LEN_MAX && !isdigit((unsigned char)*prefix);
    for (size_t i = 0; ok && i < len; i++)
        ok = isalnum((unsigned char)prefix[i]) || prefix[i] == '_';
    return ok || bad_usage(report, "not a usable --prefix: ", prefix);
}

/* Cuts `text`, which is changed, at each of `separators`; the parts are borrowed from it. */
static void add_patterns(TextVec *patterns, char *text, const char *separators)
{
    char *rest = NULL;
    for (char *p = strtok_r(text, separators, &rest); p; p = strtok_r(NULL, separators, &rest))
        VEC_PUSH(patterns, p);
}

static void remove_comments(char *text)
{
    bool in_comment = false;
    for (; *text; text++) {
        if (*text == '#') in_comment = true;
        if (*text == '\n') in_comment = false;
        if (in_comment) *text = ' ';
    }
}

static bool read_patterns(const Options *options, TextVec *patterns, Report *report)
{
    if (options->exports) add_patterns(patterns, options->exports, ",");
    if (!options->export_file) return true;
    uint8_t *data = NULL;
    size_t size = 0;
    if (!file_read(options->export_file, report, &data, &size)) return false;
    char *text = mem_grow(data, size + 1, 1);
    text[size] = 0;
    if (strlen(text) != size) return fail(report, options->export_file, "is not a text file");
    remove_comments(text);
    add_patterns(patterns, text, " \t\r\n");
    return true;
}

static bool check_input(const Options *options, const Elf *elf, Report *report)
{
    for (uint32_t i = 0; i < options->n_forbidden; i++) {
        if (!versions_check_absent(elf, options->forbidden[i], report)) return false;
    }
    for (uint32_t i = 0; i < options->n_version_libs; i++) {
        Elf lib;
        if (!elf_open(&lib, options->version_libs[i], report)) return false;
        bool ok = versions_check_lib(elf, &lib, report);
        elf_close(&lib);
        if (!ok) return false;
    }
    return true;
}

static bool write_stubs(const Options *options, const Elf *elf, Report *report, uint32_t *ret_count)
{
    *ret_count = 0;
    if (!options->stubs) return true;
    Elf libs[VALUES_MAX];
    uint32_t n = 0;
    bool ok = true;
    while (ok && n < options->n_stub_libs) {
        ok = elf_open(&libs[n], options->stub_libs[n], report);
        if (ok) n++;
    }
    ok = ok && stubs_write(elf, libs, n, options->stubs, report, ret_count);
    while (n > 0) elf_close(&libs[--n]);
    return ok;
}

static bool convert(const Options *options, Elf *elf, Report *report)
{
    TextVec patterns = {0};
    char *end = NULL;
    uint64_t base = strtoull(options->base, &end, 0);
    if (*end || end == options->base) return bad_usage(report, "not an address: ", options->base);
    if (!check_prefix(options->prefix, report)) return false;
    if (!read_patterns(options, &patterns, report)) return false;
    uint32_t n_stubs = 0;
    if (!check_input(options, elf, report)) return false;
    if (!write_stubs(options, elf, report, &n_stubs)) return false;
    ImageOptions image_options = {.base = base,
                                  .prefix = options->prefix,
                                  .patterns = patterns.p,
                                  .n_patterns = patterns.len,
                                  .diverts = options->diverts,
                                  .n_diverts = options->n_diverts};
    Object object;
    Image image = {.elf = elf, .options = &image_options, .object = &object, .report = report};
    if (!image_build(&image)) return false;
    if (image.stats.n_diverted != options->n_diverts)
        return fail(report, options->input,
                    "%u functions of --divert, %u calls of them through the "
                    "jump table",
                    options->n_diverts, image.stats.n_diverted);
    if (!image_write_args(&image, options->args)) return false;
    if (!object_write(&object, options->output, report)) return false;
    if (options->is_verbose)
        printf("%s: %u constants, %u references, %u exports, %u stubs, %u jumps, %u tls\n",
               options->output, image.stats.n_constants, image.stats.n_references,
               image.stats.n_exports, n_stubs, image.stats.n_jumps, image.stats.n_tls);
    return true;
}

int main(int argc, char **argv)
{
    static Report report;
    Options options = {.base = "", .prefix = ""};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0 ? 1 : 0;
    }
    Elf elf = {0};
    bool ok = parse_options(&options, argc, argv, &report) &&
              elf_open(&elf, options.input, &report) && convert(&options, &elf, &report);
    elf_close(&elf);
    if (ok) return 0;
    (void)fprintf(stderr, "so2obj: error: %s\n", report.text);
    return 1;
}
