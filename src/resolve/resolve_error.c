/* resolve/resolve_error.c -- errors with Node's codes and words
 * (https://nodejs.org/api/errors.html). */
#include "resolve/resolve_priv.h"

static Outcome fail(Ask *q, const char *code, Str message)
{
    q->ret->err = (ResolveError){.code = code, .message = message};
    return FAIL;
}

static Outcome fail_type(Ask *q, const char *code, Str message)
{
    q->ret->err = (ResolveError){.code = code, .message = message, .is_type_error = true};
    return FAIL;
}

/* " imported from <base>", or nothing. */
static Str imported_from(Ask *q)
{
    return q->base.n ? str_fmt(&q->r->err, " imported from %.*s", STR_ARG(q->base)) : (Str){"", 0};
}

static Str dir_slash(Ask *q, Dir *d)
{
    return resolve_dir_join(&q->r->err, d, (Str){"", 0});
}

static Str quoted(Ask *q, Str s)
{
    AUTO(Buf) b = {0};
    json_write_str(&b, s);
    return str_dup(&q->r->err, buf_str(&b));
}

Outcome resolve_fail_not_found(Ask *q, Str what, bool is_package)
{
    Str from = imported_from(q);
    Str message = str_fmt(&q->r->err, "Cannot find %s '%.*s'%.*s",
                          is_package ? "package" : "module", STR_ARG(what), STR_ARG(from));
    fail(q, "ERR_MODULE_NOT_FOUND", message);
    if (!is_package) q->ret->err.path = str_dup(&q->r->err, what);
    return FAIL;
}

Outcome resolve_fail_require(Ask *q, Str what, Str path)
{
    Arena *a = &q->r->err; /* the name may hold a NUL, where a format would stop */
    Str message = str_concat(a, S("Cannot find module '"), str_concat(a, what, S("'")));
    fail(q, "MODULE_NOT_FOUND", message);
    q->ret->err.path = str_dup(&q->r->err, path);
    return FAIL;
}

Outcome resolve_fail_main(Ask *q, Str file, Str package_json)
{
    fail(q, "MODULE_NOT_FOUND",
         str_fmt(&q->r->err,
                 "Cannot find module '%.*s'. Please verify that the package.json has a valid "
                 "\"main\" entry",
                 STR_ARG(file)));
    q->ret->err.path = str_dup(&q->r->err, package_json);
    return FAIL;
}

Outcome resolve_fail_dir_import(Ask *q, Str path)
{
    Str from = imported_from(q);
    fail(q, "ERR_UNSUPPORTED_DIR_IMPORT",
         str_fmt(&q->r->err, "Directory import '%.*s' is not supported resolving ES modules%.*s",
                 STR_ARG(path), STR_ARG(from)));
    q->ret->err.path = str_dup(&q->r->err, path);
    return FAIL;
}

Outcome resolve_fail_config(Ask *q, Str package_json, Str why)
{
    Str from = {"", 0};
    if (q->base.n) from = str_fmt(&q->r->err, " while importing %.*s", STR_ARG(q->base));
    fail(q, "ERR_INVALID_PACKAGE_CONFIG",
         str_fmt(&q->r->err, "Invalid package config %.*s%.*s%s%.*s", STR_ARG(package_json),
                 STR_ARG(from), why.n ? ". " : "", STR_ARG(why)));
    q->ret->err.path = str_dup(&q->r->err, package_json);
    return FAIL;
}

Outcome resolve_fail_not_exported(Ask *q, PkgAt p, Str subpath)
{
    Str from = imported_from(q), dir = dir_slash(q, p.at);
    Str message;
    if (str_eq(subpath, S("."))) {
        message = str_fmt(&q->r->err, "No \"exports\" main defined in %.*spackage.json%.*s",
                          STR_ARG(dir), STR_ARG(from));
    } else {
        message = str_fmt(&q->r->err,
                          "Package subpath '%.*s' is not defined by \"exports\" in "
                          "%.*spackage.json%.*s",
                          STR_ARG(subpath), STR_ARG(dir), STR_ARG(from));
    }
    fail(q, "ERR_PACKAGE_PATH_NOT_EXPORTED", message);
    q->ret->err.path = resolve_pkg_path(&q->r->err, p);
    return FAIL;
}

Outcome resolve_fail_no_import(Ask *q, PkgAt p, Str name)
{
    Str from = imported_from(q), in = {"", 0};
    if (p.pkg) {
        Str dir = dir_slash(q, p.at);
        in = str_fmt(&q->r->err, " in package %.*spackage.json", STR_ARG(dir));
    }
    fail_type(q, "ERR_PACKAGE_IMPORT_NOT_DEFINED",
              str_fmt(&q->r->err, "Package import specifier \"%.*s\" is not defined%.*s%.*s",
                      STR_ARG(name), STR_ARG(in), STR_ARG(from)));
    if (p.pkg) q->ret->err.path = resolve_pkg_path(&q->r->err, p);
    return FAIL;
}

/* The target as the message shows it: a string in quotes, anything else as text that is then
 * quoted. */
static Str target_text(Ask *q, const JsonNode *target)
{
    if (target->kind == JSON_STRING) return json_str(&q->r->err, target);
    AUTO(Buf) b = {0};
    json_write(&b, target, (Str){0});
    return str_dup(&q->r->err, buf_str(&b));
}

Outcome resolve_fail_target(Ask *q, PkgAt p, Str key, const JsonNode *target, bool is_import)
{
    Str text = target_text(q, target), from = imported_from(q), dir = dir_slash(q, p.at);
    Str shown = quoted(q, text);
    bool is_bare = !is_import && text.n && !str_starts(text, S("./"));
    const char *tail = is_bare ? "; targets must start with \"./\"" : "";
    Str what;
    if (str_eq(key, S("."))) {
        what = str_fmt(&q->r->err, "Invalid \"exports\" main target %.*s defined", STR_ARG(shown));
    } else {
        what = str_fmt(&q->r->err, "Invalid \"%s\" target %.*s defined for '%.*s'",
                       is_import ? "imports" : "exports", STR_ARG(shown), STR_ARG(key));
    }
    fail(q, "ERR_INVALID_PACKAGE_TARGET",
         str_fmt(&q->r->err, "%.*s in the package config %.*spackage.json%.*s%s", STR_ARG(what),
                 STR_ARG(dir), STR_ARG(from), tail));
    q->ret->err.path = resolve_pkg_path(&q->r->err, p);
    return FAIL;
}

Outcome resolve_fail_specifier(Ask *q, Str spec, Str why)
{
    Str from = imported_from(q);
    return fail_type(q, "ERR_INVALID_MODULE_SPECIFIER",
                     str_fmt(&q->r->err, "Invalid module \"%.*s\" %.*s%.*s", STR_ARG(spec),
                             STR_ARG(why), STR_ARG(from)));
}

Outcome resolve_fail_builtin(Ask *q, Str name)
{
    return fail(q, "ERR_UNKNOWN_BUILTIN_MODULE",
                str_fmt(&q->r->err, "No such built-in module: %.*s", STR_ARG(name)));
}

void resolve_hint_similar(Ask *q, Dir *d, Str name)
{
    bool is_case;
    if (!(q->flags & RESOLVE_WANT_HINT)) return;
    Str found = resolve_dir_similar(q->r, d, name, &is_case);
    if (!found.n) return;
    Str full = resolve_dir_join(&q->r->err, d, found);
    q->ret->err.hint =
        str_fmt(&q->r->err, "Did you mean \"%.*s\"?%s", STR_ARG(full),
                is_case ? " The letter case of the path is not that of the file." : "");
}

void resolve_hint_package(Ask *q, Dir *from, Str name)
{
    Str scope = {"", 0};
    if (!(q->flags & RESOLVE_WANT_HINT)) return;
    if (str_starts(name, S("@"))) (void)str_cut(name, '/', &scope, &name);
    for (Dir *d = from; d && name.n; d = d->parent) {
        Dir *modules = resolve_dir_child(q->r, d, S("node_modules"));
        if (modules && scope.n) modules = resolve_dir_child(q->r, modules, scope);
        if (!modules || !resolve_dir_real(q->r, modules)) continue;
        bool is_case;
        Str found = resolve_dir_similar(q->r, modules, name, &is_case);
        if (!found.n || found.p[0] == '.') continue;
        q->ret->err.hint = str_fmt(&q->r->err, "Did you mean \"%.*s%s%.*s\"?", STR_ARG(scope),
                                   scope.n ? "/" : "", STR_ARG(found));
        return;
    }
}

Str resolve_error_with_stack(Arena *a, const ResolveError *e, const Str *stack, u32 n_stack)
{
    AUTO(Buf) b = {0};
    buf_push(&b, e->message);
    for (u32 i = 0; i < n_stack; i++) {
        buf_push(&b, i ? S("\n- ") : S("\nRequire stack:\n- "));
        buf_push(&b, stack[i]);
    }
    return str_dup(a, buf_str(&b));
}
