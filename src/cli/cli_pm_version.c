/* cli/cli_pm_version.c -- `cob pm version`: a new version in package.json, its scripts, a commit
 * and a tag. */
#include "cli/pm.h"
#include "util/err.h"

#include <stdio.h>

/* ---- git ------------------------------------------------------------------------------------- */

static int git_error(Pm *pm, int rc, const Buf *text)
{
    if (rc < 0)
        (void)log_error(&pm->log, (Span){0}, "cannot run git: %s", err_text(rc));
    else
        (void)log_error(&pm->log, (Span){0}, "Git error: %.*s", STR_ARG(str_trim(buf_str(text))));
    return 1;
}

static bool is_repository(Pm *pm)
{
    AUTO(Buf) out = {0};
    const char *words[] = {"rev-parse", "--is-inside-work-tree", NULL};
    return cli_git(pm->cli->arena, pm->package.dir, words, &out) == 0;
}

static bool is_clean(Pm *pm)
{
    AUTO(Buf) out = {0};
    const char *words[] = {"status", "--porcelain", "--untracked-files=no", NULL};
    if (cli_git(pm->cli->arena, pm->package.dir, words, &out) != 0) return true;
    return !str_trim(buf_str(&out)).n ||
           log_error(&pm->log, (Span){0},
                     "Git working directory not clean: commit first, or --force");
}

static bool tag_of_git(Pm *pm, Str *ret)
{
    AUTO(Buf) out = {0};
    const char *words[] = {"describe", "--tags", "--abbrev=0", NULL};
    int rc = cli_git(pm->cli->arena, pm->package.dir, words, &out);
    if (rc) return !git_error(pm, rc, &out);
    Str tag = str_trim(buf_str(&out));
    *ret = str_dup(pm->cli->arena, str_starts(tag, S("v")) ? str_skip(tag, 1) : tag);
    return true;
}

/* "%s" is the version. */
static Str message_of(Pm *pm, Str version)
{
    AUTO(Buf) out = {0};
    Arena *a = pm->cli->arena;
    Str text = pm->options->message;
    if (!text.n) return str_concat(a, S("v"), version);
    for (i64 at; (at = str_find_str(text, S("%s"))) >= 0; text = str_skip(text, (usize)at + 2)) {
        (void)buf_push(&out, str_slice(text, 0, (usize)at));
        (void)buf_push(&out, version);
    }
    (void)buf_push(&out, text);
    return str_dup(a, buf_str(&out));
}

static int commit(Pm *pm, Str version)
{
    Arena *a = pm->cli->arena;
    const char *message = str_dup_z(a, message_of(pm, version));
    const char *tag = str_dup_z(a, str_concat(a, S("v"), version));
    const char *steps[][5] = {{"add", "package.json", NULL},
                              {"commit", "-m", message, NULL},
                              {"tag", "-a", tag, "-m", message}};
    for (u32 i = 0; i < COUNT(steps); i++) {
        AUTO(Buf) out = {0};
        const char *words[6] = {0};
        for (u32 k = 0; k < COUNT(steps[i]); k++) words[k] = steps[i][k];
        int rc = cli_git(pm->cli->arena, pm->package.dir, words, &out);
        if (rc) return git_error(pm, rc, &out);
    }
    return 0;
}

/* ---- Versions -------------------------------------------------------------------------------- */

/* "beta.1" becomes "beta.2", "beta" "beta.0"; another word starts at 0. */
static Str next_pre(Arena *a, Str pre, Str word)
{
    Str head = pre, tail = pre;
    u64 n;
    i64 dot = str_rfind(pre, '.');
    if (dot >= 0) {
        head = str_slice(pre, 0, (usize)dot);
        tail = str_skip(pre, (usize)dot + 1);
    }
    bool has_number = pre.n && str_to_u64(tail, &n) && n < UINT64_MAX;
    if (dot < 0 && has_number) head = S("");
    bool is_same = !word.n || str_eq(word, head);
    if (!is_same || !pre.n) return word.n ? str_fmt(a, "%.*s.0", STR_ARG(word)) : S("0");
    if (!has_number) return str_fmt(a, "%.*s.0", STR_ARG(pre));
    return head.n ? str_fmt(a, "%.*s.%llu", STR_ARG(head), (unsigned long long)n + 1)
                  : str_fmt(a, "%llu", (unsigned long long)n + 1);
}

static Str print_version(Arena *a, const Semver *v)
{
    return str_fmt(a, "%llu.%llu.%llu%s%.*s", (unsigned long long)v->major,
                   (unsigned long long)v->minor, (unsigned long long)v->patch, v->pre.n ? "-" : "",
                   STR_ARG(v->pre));
}

/* As node-semver's inc().  false: `how` is none of its words. */
static bool increase(Arena *a, Semver *v, Str how, Str word)
{
    Str pre = v->pre;
    bool is_pre = str_starts(how, S("pre")), is_whole = !v->patch && pre.n;
    Str part = is_pre && !str_eq(how, S("prerelease")) ? str_skip(how, 3) : how;
    v->pre = S("");
    if (str_eq(part, S("major"))) {
        /* 2.0.0-1 becomes 2.0.0. */
        if (is_pre || !is_whole || v->minor) v->major++;
        v->minor = v->patch = 0;
    } else if (str_eq(part, S("minor"))) {
        if (is_pre || !is_whole) v->minor++;
        v->patch = 0;
    } else if (str_eq(part, S("patch"))) {
        if (is_pre || !pre.n) v->patch++;
    } else if (str_eq(part, S("prerelease"))) {
        if (!pre.n) v->patch++;
        v->pre = next_pre(a, pre, word);
        return true;
    } else {
        return false;
    }
    if (is_pre) v->pre = next_pre(a, S(""), word);
    return true;
}

static bool new_version(Pm *pm, Str how, Str *ret)
{
    Arena *a = pm->cli->arena;
    Semver v = {0};
    Str old = pm->package.version;
    if (str_eq(how, S("from-git")) && !tag_of_git(pm, &how)) return false;
    if (semver_parse(how, &v)) {
        *ret = print_version(a, &v);
    } else {
        if (old.n && !semver_parse(old, &v))
            return log_error(&pm->log, (Span){0}, "The version \"%.*s\" in package.json is none",
                             STR_ARG(old));
        if (!old.n) v = (Semver){0};
        if (!increase(a, &v, how, pm->options->preid))
            return log_error(&pm->log, (Span){0},
                             "Invalid version argument: \"%.*s\" (patch, minor, major, prepatch, "
                             "preminor, premajor, prerelease, from-git, or a version)",
                             STR_ARG(how));
        *ret = print_version(a, &v);
    }
    return !str_eq(*ret, old) || pm->options->allow_same ||
           log_error(&pm->log, (Span){0}, "Version not changed");
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool write_version(Pm *pm, Str version)
{
    AUTO(Buf) quoted = {0};
    Str key = S("version");
    json_write_str(&quoted, version);
    return cli_package_set(pm->cli->arena, &pm->log, &pm->package,
                           (JsonEdit){.keys = &key, .n_keys = 1, .value = buf_str(&quoted)});
}

static void print_choices(Pm *pm)
{
    static const char *const words[] = {"patch", "minor", "major", "prerelease"};
    Str old = pm->package.version.n ? pm->package.version : S("0.0.0");
    (void)printf("Usage: %s pm version <increment or version>\n\n", cli_own_name(pm->cli));
    for (u32 i = 0; i < COUNT(words); i++) {
        Semver v;
        if (!semver_parse(old, &v)) continue;
        (void)increase(pm->cli->arena, &v, str_z(words[i]), pm->options->preid);
        (void)printf("  %-11s %.*s -> %.*s\n", words[i], STR_ARG(old),
                     STR_ARG(print_version(pm->cli->arena, &v)));
    }
    (void)printf("  %-11s that of the latest tag\n", "from-git");
}

int cli_pm_version(Pm *pm)
{
    Str version = {0};
    const PmOptions *o = pm->options;
    if (!pm->args.len) {
        print_choices(pm);
        return 0;
    }
    bool has_git = !o->no_git_tag && is_repository(pm);
    if (has_git && !o->force && !is_clean(pm)) return 1;
    if (!new_version(pm, pm->args.at[0], &version)) return 1;
    if (!o->dry_run) {
        int code = cli_pack_script(pm, "preversion");
        if (code) return code;
        if (!write_version(pm, version)) return 1;
        code = cli_pack_script(pm, "version");
        if (!code && has_git) code = commit(pm, version);
        if (!code) code = cli_pack_script(pm, "postversion");
        if (code) return code;
    }
    (void)printf("v%.*s\n", STR_ARG(version));
    return 0;
}
