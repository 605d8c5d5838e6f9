/* cli/cli_package.c -- package.json and its scripts. */
#include "cli/run.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

enum { PACKAGE_MAX = 64 * 1024 * 1024 };

/* The message points to the source, wherever the package is. */
static bool refuse(Arena *a, Log *log, const CliPackage *pkg, const JsonError *e)
{
    Source *source = ARENA_NEW(a, Source);
    *source = pkg->source;
    return log_error(log, (Span){.src = source, .pos = e->offset}, "%s", e->what);
}

int cli_package_read(Arena *a, Log *log, Str dir, CliPackage *ret)
{
    Str path = path_join2(a, dir, S("package.json")), text;
    if (sys_read_file(a, path, PACKAGE_MAX, &text) < 0) return 0;
    *ret = (CliPackage){.dir = dir, .path = path, .source = {.name = path, .text = text}};
    JsonError e;
    if (!json_parse(a, text, JSON_JSONC, &ret->json, &e)) {
        (void)refuse(a, log, ret, &e);
        return -1;
    }
    ret->name = json_find_str(a, &ret->json, S("name"));
    ret->version = json_find_str(a, &ret->json, S("version"));
    return 1;
}

int cli_package_find(Arena *a, Log *log, Str dir, CliPackage *ret)
{
    for (;;) {
        int rc = cli_package_read(a, log, dir, ret);
        if (rc || dir.n <= 1) return rc;
        dir = path_dirname(dir);
    }
}

bool cli_package_save(Log *log, const CliPackage *pkg, Str text)
{
    int rc = sys_write_file_atomic(pkg->path, text, 0);
    return rc >= 0 ||
           log_error(log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(pkg->path), err_text(rc));
}

bool cli_package_set(Arena *a, Log *log, const CliPackage *pkg, JsonEdit edit)
{
    Str text;
    JsonError e;
    edit.text = pkg->source.text;
    if (!json_edit_set(a, &edit, &text, &e)) return refuse(a, log, pkg, &e);
    return cli_package_save(log, pkg, text);
}

const JsonNode *cli_package_scripts(const CliPackage *pkg)
{
    const JsonNode *scripts = json_find(&pkg->json, S("scripts"));
    return scripts && scripts->kind == JSON_OBJECT ? scripts : NULL;
}

Str cli_package_script(Arena *a, const CliPackage *pkg, Str name)
{
    return json_find_str(a, cli_package_scripts(pkg), name);
}

static bool is_listed(const JsonNode *value)
{
    return value->kind == JSON_STRING && value->size > 2;
}

static void print_line(Arena *a, const JsonNode *script)
{
    Str text = json_str(a, script);
    for (usize i = 0; i < text.n; i++) {
        if (text.p[i] == '\n')
            (void)printf("\\n");
        else
            (void)putchar(text.p[i]);
    }
}

void cli_print_scripts(Cli *cli)
{
    CliPaint p = cli_paint(1);
    Log log;
    Str cwd;
    CliPackage pkg;
    log_init(&log, cli->arena);
    int rc = sys_cwd(cli->arena, &cwd) < 0 ? 0 : cli_package_find(cli->arena, &log, cwd, &pkg);
    if (rc < 0) (void)cli_fail_with(&log);
    if (rc <= 0) {
        (void)printf("\nNo package.json found.\n");
        return;
    }
    const JsonNode *scripts = cli_package_scripts(&pkg);
    u32 n = 0;
    for (u32 i = 0; scripts && i < scripts->len; i++) n += is_listed(&scripts->items[i * 2 + 1]);
    if (!n) {
        (void)printf("\nNo \"scripts\" found in package.json.\n");
        return;
    }
    (void)printf("\n%spackage.json scripts%s (%u found):\n", p.bold, p.off, n);
    for (u32 i = 0; i < scripts->len; i++) {
        if (!is_listed(&scripts->items[i * 2 + 1])) continue;
        Str name = json_str(cli->arena, &scripts->items[i * 2]);
        (void)printf("  %s$%s %s run%s %s%.*s%s\n    %s", p.dim, p.bold, cli_own_name(cli), p.off,
                     p.blue, STR_ARG(name), p.off, p.dim);
        print_line(cli->arena, &scripts->items[i * 2 + 1]);
        (void)printf("%s\n\n", p.off);
    }
}
