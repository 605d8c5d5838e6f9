/* install/pkg_change.c -- `cob add` and `cob remove`: the text of package.json is edited and
 * otherwise stays as it is.  It is written when the install has succeeded. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/json_edit.h"

static const Str groups[] = {{"dependencies", 12},
                             {"devDependencies", 15},
                             {"optionalDependencies", 20},
                             {"peerDependencies", 16}};

static bool refuse(PkgRun *run, const JsonError *e)
{
    return log_error(run->log, (Span){.src = run->change_source, .pos = e->offset}, "%s", e->what);
}

static bool stands_in(PkgRun *run, Str text, Str group, Str name, bool *ret_is_empty)
{
    JsonNode json;
    JsonError e;
    if (!json_parse(run->arena, text, JSON_JSONC, &json, &e)) return false;
    const JsonNode *object = json_find(&json, group);
    bool is_there = json_find(object, name) != NULL;
    *ret_is_empty = object && object->kind == JSON_OBJECT && object->len == 1 && is_there;
    return is_there;
}

static bool drop(PkgRun *run, Str group, Str name, Str *text)
{
    bool is_last;
    JsonError e;
    if (!stands_in(run, *text, group, name, &is_last)) return true;
    Str keys[] = {group, name};
    /* A group that would be empty goes too. */
    JsonEdit edit = {.text = *text, .keys = keys, .n_keys = is_last ? 1 : 2};
    return json_edit_del(run->arena, &edit, text, &e) || refuse(run, &e);
}

static bool put(PkgRun *run, Str group, Str name, Str spec, Str *text)
{
    AUTO(Buf) value = {0};
    JsonError e;
    Str keys[] = {group, name};
    json_write_str(&value, spec);
    JsonEdit edit = {.text = *text,
                     .keys = keys,
                     .n_keys = 2,
                     .value = str_dup(run->arena, buf_str(&value)),
                     .order = JSON_EDIT_SORTED};
    return json_edit_set(run->arena, &edit, text, &e) || refuse(run, &e);
}

/* Where the change goes. */
static Str group_of(PkgRun *run, Str text, const PkgChange *change)
{
    bool is_last;
    if (change->group.n) return change->group;
    for (u32 i = 0; i < COUNT(groups); i++)
        if (stands_in(run, text, groups[i], change->name, &is_last)) return groups[i];
    return groups[0];
}

bool pkg_change_text(PkgRun *run, Source *source)
{
    Str *text = &source->text;
    run->change_source = source;
    run->change_before = source->text;
    for (u32 i = 0; i < run->options->n_changes; i++) {
        const PkgChange *change = &run->options->changes[i];
        Str group = group_of(run, *text, change);
        for (u32 j = 0; j < COUNT(groups); j++) {
            bool is_other = change->is_removed || !str_eq(groups[j], group);
            if (is_other && !drop(run, groups[j], change->name, text)) return false;
        }
        Str spec = change->text.n ? change->text : S("latest");
        if (!change->is_removed && !put(run, group, change->name, spec, text)) return false;
    }
    return true;
}

static PkgDep *dep_of(PkgRun *run, const PkgChange *change)
{
    u32 own = 0;
    while (own < run->pkgs.len && !str_eq(run->pkgs.at[own].workspace, run->options->package))
        own++;
    Pkg *pkg = own < run->pkgs.len ? &run->pkgs.at[own] : NULL;
    for (u32 i = 0; pkg && i < pkg->deps.len; i++)
        if (!change->is_removed && str_eq(pkg->deps.at[i].name, change->name))
            return &pkg->deps.at[i];
    return NULL;
}

void pkg_change_mark(PkgRun *run)
{
    for (u32 i = 0; i < run->options->n_changes; i++) {
        PkgDep *dep = dep_of(run, &run->options->changes[i]);
        if (dep) dep->is_fresh = true;
    }
}

/* What stood for a package without a name gets its name. */
static bool settle_name(PkgRun *run, const PkgChange *change, PkgDep *dep, Str *text)
{
    Str group = group_of(run, *text, change), name = run->pkgs.at[dep->to].name;
    for (u32 i = 0; i < COUNT(groups); i++)
        if (!drop(run, groups[i], change->name, text)) return false;
    for (u32 i = 0; i < COUNT(groups); i++)
        if (!str_eq(groups[i], group) && !drop(run, groups[i], name, text)) return false;
    dep->name = name;
    return put(run, group, name, dep->text, text);
}

/* What was asked for becomes the range of the version that was found: a tag always, other words if
 * the change says so. */
static bool must_settle(const PkgRun *run, const PkgChange *change, const PkgDep *dep)
{
    const Pkg *pkg = &run->pkgs.at[dep->to];
    bool is_registry = pkg->kind == PKG_RANGE && !pkg->workspace.n;
    return is_registry && !change->is_kept &&
           (change->sign.p ? dep->spec.kind <= PKG_TAG : dep->spec.kind == PKG_TAG);
}

static bool settle_tag(PkgRun *run, const PkgChange *change, PkgDep *dep, Str *text)
{
    Str version = run->pkgs.at[dep->to].version_text;
    Str sign = change->sign.p ? change->sign : change->is_exact ? S("") : S("^");
    bool is_alias = !str_eq(dep->spec.name, dep->name);
    dep->text = is_alias ? str_fmt(run->arena, "npm:%.*s@%.*s%.*s", STR_ARG(dep->spec.name),
                                   STR_ARG(sign), STR_ARG(version))
                         : str_fmt(run->arena, "%.*s%.*s", STR_ARG(sign), STR_ARG(version));
    return put(run, group_of(run, *text, change), dep->name, dep->text, text);
}

bool pkg_change_settle(PkgRun *run)
{
    Str text = run->change_source ? run->change_source->text : S("");
    for (u32 i = 0; i < run->options->n_changes; i++) {
        const PkgChange *change = &run->options->changes[i];
        PkgDep *dep = dep_of(run, change);
        if (!dep || !dep->to) continue;
        if (change->is_unnamed && !settle_name(run, change, dep, &text)) return false;
        if (must_settle(run, change, dep) && !settle_tag(run, change, dep, &text)) return false;
        JsonError e;
        if (change->is_trusted && !pkg_trust_add(run, dep->to, &text, &e)) return refuse(run, &e);
    }
    if (run->change_source) run->change_source->text = text;
    return true;
}

bool pkg_change_save(PkgRun *run)
{
    if (!run->options->n_changes || run->options->is_unsaved) return true;
    const Source *source = run->change_source;
    bool is_other = source && !str_eq(source->text, run->change_before);
    int rc = is_other ? sys_write_file_atomic(source->name, source->text, 0644) : 0;
    if (rc >= 0) return true;
    return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(source->name),
                     err_text(rc));
}
