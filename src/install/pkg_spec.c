/* install/pkg_spec.c -- what a dependency asks for, by its text: a range, a tag, an alias, a
 * package of this project, a folder, a tarball, a repository. */
#include "install/pkg.h"
#include "util/path.h"

#include <string.h>

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           memchr("-_.~!*'()", c, 9) != NULL;
}

static bool is_tag(Str text)
{
    for (usize i = 0; i < text.n; i++)
        if (!is_name_char(text.p[i])) return false;
    return text.n > 0;
}

/* "name@spec" of an alias: the last @ that is not the first character. */
static void cut_alias(Str text, Str *ret_name, Str *ret_spec)
{
    i64 at = str_rfind(text, '@');
    *ret_name = at > 0 ? str_slice(text, 0, (usize)at) : text;
    *ret_spec = at > 0 ? str_skip(text, (usize)at + 1) : S("");
}

static bool take_prefix(Str *text, Str prefix)
{
    if (!str_starts(*text, prefix)) return false;
    *text = str_skip(*text, prefix.n);
    return true;
}

static bool is_tarball_name(Str text)
{
    return str_ends(text, S(".tgz")) || str_ends(text, S(".tar.gz"));
}

static bool is_path(Str text)
{
    return str_starts(text, S("./")) || str_starts(text, S("../")) || str_starts(text, S("/")) ||
           str_starts(text, S("~/")) || str_eq(text, S(".")) || str_eq(text, S(".."));
}

/* ---- Files and folders ----------------------------------------------------------------------- */

/* Relative to the project, whoever names it. */
static Str path_of(Arena *a, Str base, Str path)
{
    Str home;
    if (take_prefix(&path, S("~/")) && sys_env_find(a, S("HOME"), &home))
        return path_join2(a, home, path);
    if (path_is_absolute(path)) return path_normalize(a, path);
    path = base.n ? path_join2(a, base, path) : path_normalize(a, path);
    while (path.n > 1 && path.p[path.n - 1] == '/') path.n--;
    return path;
}

static bool parse_path(Arena *a, Str base, Str path, PkgSpec *ret)
{
    ret->kind = is_tarball_name(path) ? PKG_TARBALL : PKG_FOLDER;
    ret->where = path_of(a, base, path);
    return ret->where.n > 0;
}

/* A name is what `cob link` has registered, if it has. */
static bool parse_link(Arena *a, Str base, Str path, PkgSpec *ret)
{
    Str target;
    ret->kind = PKG_LINK;
    bool is_linked =
        pkg_name_is_fine(path) && sys_readlink(a, pkg_global_link(a, path), &target) == 0;
    ret->where = is_linked ? target : path_of(a, base, path);
    return ret->where.n > 0;
}

/* ---- Repositories ---------------------------------------------------------------------------- */

static bool parse_git(Str url, PkgSpec *ret)
{
    ret->kind = PKG_GIT;
    i64 hash = str_find(url, '#');
    ret->where = hash < 0 ? url : str_slice(url, 0, (usize)hash);
    ret->commit = hash < 0 ? S("") : str_skip(url, (usize)hash + 1);
    /* Nothing that git could take for an option. */
    return ret->where.n && ret->where.p[0] != '-' && !(ret->commit.n && ret->commit.p[0] == '-');
}

/* "user/repo#commit"; the slash is there. */
static bool parse_github(Str text, PkgSpec *ret)
{
    if (!parse_git(text, ret)) return false;
    Str user, repo;
    ret->kind = PKG_GITHUB;
    if (str_ends(ret->where, S(".git"))) ret->where.n -= 4;
    return str_cut(ret->where, '/', &user, &repo) && is_tag(user) && is_tag(repo);
}

static bool parse_host(Arena *a, Str host, Str rest, PkgSpec *ret)
{
    return parse_git(str_fmt(a, "https://%.*s/%.*s", STR_ARG(host), STR_ARG(rest)), ret);
}

/* "user/repo", as npm means it: nothing else has a slash. */
static bool is_short_github(Str text)
{
    i64 hash = str_find(text, '#');
    Str repo = hash < 0 ? text : str_slice(text, 0, (usize)hash);
    i64 slash = str_find(repo, '/');
    return slash > 0 && repo.p[0] != '@' && str_find(repo, ':') < 0 &&
           str_find(str_skip(repo, (usize)slash + 1), '/') < 0;
}

static bool parse_url(Arena *a, Str text, PkgSpec *ret)
{
    Str rest = text;
    i64 hash = str_find(text, '#');
    Str bare = hash < 0 ? text : str_slice(text, 0, (usize)hash);
    bool is_github = take_prefix(&rest, S("https://github.com/")) && is_short_github(rest);
    if (is_github) return parse_github(rest, ret);
    if (str_ends(bare, S(".git"))) return parse_git(text, ret);
    ret->kind = PKG_TARBALL;
    ret->where = text;
    (void)a;
    return true;
}

/* *ret_is_known: the text is of one of these kinds. */
static bool parse_remote(Arena *a, Str text, PkgSpec *ret, bool *ret_is_known)
{
    static const Str git_starts[] = {{"git+", 4}, {"git://", 6}, {"ssh://", 6}};
    *ret_is_known = true;
    Str rest = text;
    if (take_prefix(&rest, S("git+file:"))) return parse_git(str_skip(text, 4), ret);
    for (u32 i = 0; i < COUNT(git_starts); i++)
        if (str_starts(text, git_starts[i])) return parse_git(str_skip(text, i ? 0 : 4), ret);
    if (take_prefix(&rest, S("github:"))) return parse_github(rest, ret);
    if (take_prefix(&rest, S("gitlab:"))) return parse_host(a, S("gitlab.com"), rest, ret);
    if (take_prefix(&rest, S("bitbucket:"))) return parse_host(a, S("bitbucket.org"), rest, ret);
    if (take_prefix(&rest, S("gist:"))) return parse_host(a, S("gist.github.com"), rest, ret);
    if (str_starts(text, S("https://")) || str_starts(text, S("http://")))
        return parse_url(a, text, ret);
    i64 colon = str_find(text, ':'), at = str_find(text, '@');
    if (at > 0 && colon > at && str_find(text, '/') > colon) return parse_git(text, ret);
    *ret_is_known = is_short_github(text) && !is_path(text);
    return *ret_is_known && parse_github(text, ret);
}

/* ---- Any ------------------------------------------------------------------------------------- */

/* "workspace:", then "*", "^", "~", a range, a folder, or "name@" and one of these. */
static bool parse_workspace(Arena *a, Str text, PkgSpec *ret)
{
    ret->kind = PKG_WORKSPACE;
    i64 at = str_rfind(text, '@');
    if (at > 0 && !is_path(text)) cut_alias(text, &ret->name, &text);
    ret->text = text;
    bool is_any = !text.n || str_eq(text, S("*")) || str_eq(text, S("^")) || str_eq(text, S("~"));
    if (is_any) return semver_range_parse(a, S(""), &ret->range);
    if (semver_range_parse(a, text, &ret->range)) return true;
    ret->where = path_normalize(a, text);
    while (ret->where.n > 1 && ret->where.p[ret->where.n - 1] == '/') ret->where.n--;
    return true;
}

bool pkg_text_is_source(Arena *a, Str text)
{
    PkgSpec spec;
    return pkg_spec_parse(a, S("x"), text, S(""), &spec) && pkg_is_source(&spec);
}

bool pkg_spec_parse(Arena *a, Str name, Str text, Str base, PkgSpec *ret)
{
    *ret = (PkgSpec){.name = name, .text = str_trim(text)};
    Str rest = ret->text;
    bool is_known;
    if (take_prefix(&rest, S("workspace:"))) return parse_workspace(a, rest, ret);
    if (take_prefix(&rest, S("link:")) || take_prefix(&rest, S("portal:")))
        return parse_link(a, base, rest, ret);
    if (take_prefix(&rest, S("file:"))) {
        /* "file:///x" is "/x". */
        if (str_starts(rest, S("//"))) rest = str_skip(rest, 2);
        return parse_path(a, base, rest, ret);
    }
    if (is_path(rest)) return parse_path(a, base, rest, ret);
    bool ok = parse_remote(a, rest, ret, &is_known);
    if (is_known) return ok;
    if (take_prefix(&rest, S("npm:"))) {
        cut_alias(rest, &ret->name, &ret->text);
        if (!pkg_name_is_fine(ret->name)) return false;
    }
    ret->kind = PKG_RANGE;
    if (semver_range_parse(a, ret->text, &ret->range)) return true;
    ret->kind = PKG_TAG;
    if (is_tag(ret->text)) return true;
    return is_tarball_name(ret->text) && parse_path(a, base, ret->text, ret);
}
