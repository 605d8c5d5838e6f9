/* cli/cli_pm_trust.c -- `cob pm untrusted`, `trust`, `default-trusted`: whose install scripts run.
 */
#include "cli/pm.h"
#include "util/path.h"

#include <stdio.h>

int cli_pm_default_trusted(Pm *pm)
{
    const Str *names;
    u32 n;
    pkg_default_trusted(pm->cli->arena, &names, &n);
    (void)printf("Default trusted dependencies (%u):\n", n);
    for (u32 i = 0; i < n; i++) (void)printf(" - %.*s\n", STR_ARG(names[i]));
    return 0;
}

/* The project's own list, if it has one, instead of ours. */
static bool is_trusted(const JsonNode *list, const Str *names, u32 n, const PkgPlace *place)
{
    for (u32 i = 0; list && list->kind == JSON_ARRAY && i < list->len; i++)
        if (list->items[i].kind == JSON_STRING && json_is(&list->items[i], place->alias))
            return true;
    for (u32 i = 0; !list && place->is_registry && i < n; i++)
        if (str_eq(names[i], place->name)) return true;
    return false;
}

typedef Vec(const PkgPlace *) Places;

static bool find_untrusted(Pm *pm, PkgProject *project, CliPackage *root, Places *ret)
{
    Arena *a = pm->cli->arena;
    const Str *names;
    u32 n;
    if (!pkg_project_read(a, pm->pkg.dir, &pm->log, project)) return false;
    if (cli_package_read(a, &pm->log, pm->pkg.dir, root) != 1)
        return log_error(&pm->log, (Span){0}, "Cannot read package.json");
    pkg_default_trusted(a, &names, &n);
    const JsonNode *list = json_find(&root->json, S("trustedDependencies"));
    for (u32 i = 1; i < project->n_places; i++) {
        const PkgPlace *place = &project->places[i];
        if (place->has_scripts && !is_trusted(list, names, n, place)) vec_push(a, ret, place);
    }
    return true;
}

static void print_scripts(Pm *pm, const PkgPlace *place)
{
    static const char *const events[] = {"preinstall", "install", "postinstall"};
    Arena *a = pm->cli->arena;
    Str rel = pkg_place_dir(a, place);
    CliPackage package;
    Log log;
    log_init(&log, a);
    (void)printf("./%.*s @%.*s\n", STR_ARG(rel), STR_ARG(place->version));
    if (cli_package_read(a, &log, path_join2(a, pm->pkg.dir, rel), &package) != 1) return;
    for (u32 i = 0; i < COUNT(events); i++) {
        Str text = cli_package_script(a, &package, str_z(events[i]));
        if (text.n) (void)printf(" » [%s]: %.*s\n", events[i], STR_ARG(text));
    }
}

int cli_pm_untrusted(Pm *pm)
{
    PkgProject project;
    CliPackage root;
    Places places = {0};
    if (!find_untrusted(pm, &project, &root, &places)) return 1;
    for (u32 i = 0; i < places.len; i++) print_scripts(pm, places.at[i]);
    if (places.len)
        (void)printf("\nThese dependencies had their lifecycle scripts blocked during install.\n\n"
                     "If you trust them and wish to run their scripts, use `%s pm trust`.\n",
                     cli_own_name(pm->cli));
    else
        (void)printf("Found 0 untrusted dependencies with scripts.\n\nThis means all packages with "
                     "scripts are in \"trustedDependencies\" or none of your dependencies have "
                     "scripts.\n");
    return 0;
}

/* ---- trust ----------------------------------------------------------------------------------- */

static bool is_named(const Pm *pm, const PkgPlace *place)
{
    for (u32 i = 0; i < pm->args.len; i++)
        if (str_eq(pm->args.at[i], place->alias)) return true;
    return pm->options->all;
}

/* The names go behind those of the list. */
static bool write_list(Pm *pm, const CliPackage *root, const Places *places)
{
    Arena *a = pm->cli->arena;
    AUTO(Buf) out = {0};
    Str key = S("trustedDependencies");
    JsonError e;
    JsonNode parsed;
    const JsonNode *old = json_find(&root->json, key);
    StrMap seen = {0};
    u32 n = 0;
    (void)buf_push_char(&out, '[');
    for (u32 i = 0; old && old->kind == JSON_ARRAY && i < old->len; i++) {
        (void)buf_push(&out, n++ ? S(",") : S(""));
        json_write(&out, &old->items[i], S(""));
    }
    for (u32 i = 0; i < places->len; i++) {
        bool is_new;
        if (!is_named(pm, places->at[i])) continue;
        (void)str_map_put(a, &seen, places->at[i]->alias, &is_new);
        if (!is_new) continue;
        (void)buf_push(&out, n++ ? S(",") : S(""));
        json_write_str(&out, places->at[i]->alias);
    }
    (void)buf_push_char(&out, ']');
    AUTO(Buf) pretty = {0};
    if (!json_parse(a, buf_str(&out), 0, &parsed, &e)) return false;
    json_write(&pretty, &parsed, S("  "));
    return cli_package_set(a, &pm->log, root,
                           (JsonEdit){.keys = &key, .n_keys = 1, .value = buf_str(&pretty)});
}

int cli_pm_trust(Pm *pm)
{
    PkgProject project;
    CliPackage root;
    PkgResult result;
    Places places = {0};
    u32 n = 0;
    if (!pm->args.len && !pm->options->all)
        return !log_error(&pm->log, (Span){0}, "expected package names(s) or --all");
    if (!find_untrusted(pm, &project, &root, &places)) return 1;
    for (u32 i = 0; i < places.len; i++) {
        if (!is_named(pm, places.at[i])) continue;
        print_scripts(pm, places.at[i]);
        n++;
    }
    if (!n)
        return !log_error(&pm->log, (Span){0},
                          "0 scripts ran: such packages are trusted already, have no scripts, or "
                          "are not there");
    if (pm->options->dry_run) return 0;
    (void)fflush(stdout);
    if (!write_list(pm, &root, &places)) return 1;
    pm->pkg.package = S("");
    if (!cli_packages_install(pm->cli, &pm->pkg, &pm->log, &result)) return 1;
    (void)printf("\n%u package%s trusted\n", n, n == 1 ? "" : "s");
    return 0;
}
