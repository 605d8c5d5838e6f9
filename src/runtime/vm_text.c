/* runtime/vm_text.c -- program text: reading, wrapping, finding lines again, resolving require().
 */
#include "runtime/vm.h"

#include "sys/sys.h"

/* The wrapper stands on the first line of a module, so lines stay right; columns of that line are
 * put right when a stack is made. */
static const Str CJS_HEAD = {"(function (exports, require, module, __filename, __dirname) { ", 62};
static const Str CJS_TAIL = {"\n})", 3};

bool vm_read_text(Vm *vm, Arena *a, Str path, Str *ret)
{
    Str text;
    int rc = sys_read_file(a, path, SYS_FILE_MAX, &text);
    if (rc < 0) {
        js_throw_sys(vm->js, rc, "open", path);
        return false;
    }
    *ret = str_starts(text, S("\xef\xbb\xbf")) ? str_skip(text, 3) : text;
    return true;
}

JsVal vm_compile_cjs(Vm *vm, Str text, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    AUTO(Buf) code = {0};
    bool has_hashbang = str_starts(text, S("#!"));
    (void)buf_push(&code, CJS_HEAD);
    if (has_hashbang) (void)buf_push(&code, S("//"));
    (void)buf_push(&code, has_hashbang ? str_skip(text, 2) : text);
    (void)buf_push(&code, CJS_TAIL);
    *str_map_put(&vm->arena, &vm->wrapped, str_dup(&vm->arena, path), NULL) = CJS_HEAD.n;
    return js_eval(vm->js, buf_str(&code), path, 1);
}

bool vm_map_position(Js *js, JsPosition *pos)
{
    if (pos->line != 1) return false;
    const u64 *head = str_map_find(&vm_of(js)->wrapped, pos->url);
    if (!head || pos->column <= *head) return false;
    pos->column -= (u32)*head;
    return true;
}

bool vm_source_line(Vm *vm, Arena *a, Str url, u32 line, Str *ret)
{
    Str text = vm->eval_text;
    if (!str_eq(url, vm->eval_name) && sys_read_file(a, url, SYS_FILE_MAX, &text) < 0) return false;
    Str piece;
    for (u32 i = 0; str_next(&text, '\n', &piece); i++) {
        if (i + 1 != line) continue;
        if (str_ends(piece, S("\r"))) piece.n--;
        *ret = piece;
        return true;
    }
    return false;
}

/* ---- require() ---------------------------------------------------------------------------------
 */

static bool is_builtin(void *ctx, Str name, Str *ret_name)
{
    *ret_name = vm_builtin_public(ctx, name);
    return ret_name->n > 0;
}

static bool make_resolver(Vm *vm)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ResolveOptions options = {.is_builtin = is_builtin, .ctx = vm};
    int rc = sys_cwd(s.arena, &options.cwd);
    if (rc < 0) {
        js_throw_sys(vm->js, rc, "uv_cwd", S(""));
        return false;
    }
    (void)sys_env_find(s.arena, S("NODE_PATH"), &options.node_path);
    vm->resolver = resolver_new(&options);
    return true;
}

static bool throw_resolve(Vm *vm, const ResolveError *e, Str parent)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = vm->js;
    Str message = resolve_error_with_stack(s.arena, e, &parent, parent.n ? 1 : 0);
    if (e->hint.n) message = str_fmt(s.arena, "%.*s\n%.*s", STR_ARG(message), STR_ARG(e->hint));
    if (e->is_type_error)
        js_throw_type_error(js, "%.*s", STR_ARG(message));
    else
        js_throw_error(js, "%.*s", STR_ARG(message));
    JsVal error = js_catch(js);
    JsVal stack = js_array(js, NULL, 0);
    if (parent.n && !js_set_index(js, stack, 0, js_str(js, parent))) return false;
    if (!js_set(js, error, "code", js_str(js, str_z(e->code)))) return false;
    if (!js_set(js, error, "requireStack", stack)) return false;
    js_throw(js, error);
    return false;
}

bool vm_resolve_require(Vm *vm, Str request, Str parent, Str *ret)
{
    if (!vm->resolver && !make_resolver(vm)) return false;
    ResolveRequest req = {.specifier = request, .importer = parent, .kind = RESOLVE_REQUIRE};
    AUTO(Scratch) s = scratch_begin(NULL);
    if (!str_starts(parent, S("/"))) {
        int rc = sys_cwd(s.arena, &req.importer);
        if (rc < 0) {
            js_throw_sys(vm->js, rc, "uv_cwd", S(""));
            return false;
        }
        req.flags |= RESOLVE_FROM_DIR;
    }
    ResolveResult found;
    if (!resolve_module(vm->resolver, &req, &found)) return throw_resolve(vm, &found.err, parent);
    *ret = found.path;
    return true;
}
