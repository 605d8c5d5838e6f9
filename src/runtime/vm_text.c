/* runtime/vm_text.c -- program text: reading, wrapping, finding lines again, resolving require().
 */
#include "runtime/vm.h"
#include "runtime/vm_watch.h"

#include "sys/sys.h"

#include <string.h>

/* The wrapper stands on the first line of a module, so lines stay right; columns of that line are
 * put right when a stack is made. */
static const Str PARAMS = {"(exports, require, module, __filename, __dirname", 48};
static const Str IMPORTER_PARAM = {", $cob", 6};
typedef struct {
    Str head, tail;
} Wrapper;
static const Wrapper CJS = {{"(function ", 10}, {"\n})", 3}};
/* The engine takes a function of this name for the top level of a module (engine/js_stack.c). */
static const Wrapper TOP_LEVEL = {{"({'module code': function ", 26}, {"\n}})['module code']", 19}};

void vm_give_text(Vm *vm, Str path, Str text)
{
    vm->given_path = path;
    vm->given_text = text;
}

bool vm_read_text(Vm *vm, Arena *a, Str path, Str *ret)
{
    Str text;
    if (vm->given_path.n && str_eq(path, vm->given_path)) {
        *ret = vm->given_text;
        vm_give_text(vm, S(""), S(""));
        return true;
    }
    int rc = sys_read_file(a, path, SYS_FILE_MAX, &text);
    if (rc < 0) {
        js_throw_sys(vm->js, rc, "open", path);
        return false;
    }
    vm_on_file_loaded(path, text);
    *ret = str_starts(text, S("\xef\xbb\xbf")) ? str_skip(text, 3) : text;
    return true;
}

static VmSource *keep_source(Vm *vm, Str text, Str url, u32 head_len)
{
    JsVal string = js_str(vm->js, text);
    u64 *slot = str_map_find(&vm->sources, url);
    if (!slot) {
        slot = str_map_put(&vm->arena, &vm->sources, str_dup(&vm->arena, url), NULL);
        *slot = (u64)(uintptr_t)ARENA_NEW(&vm->arena, VmSource);
    }
    VmSource *source = (VmSource *)(uintptr_t)*slot;
    source->head_len = head_len;
    source->original = (Str){0};
    source->map_of = NULL;
    js_ref_set_strong(vm->js, &source->text, string);
    return source;
}

void vm_keep_original(Vm *vm, Str url, Str original, VmMapOf *map_of, void *ctx)
{
    const u64 *slot = str_map_find(&vm->sources, url);
    if (!slot) return;
    VmSource *source = (VmSource *)(uintptr_t)*slot;
    source->original = original;
    source->map_of = map_of;
    source->map_ctx = ctx;
}

void vm_drop_original(Vm *vm, Str url, const void *ctx)
{
    const u64 *slot = str_map_find(&vm->sources, url);
    VmSource *source = slot ? (VmSource *)(uintptr_t)*slot : NULL;
    if (!source || source->map_ctx != ctx) return;
    source->original = (Str){0};
    source->map_of = NULL;
}

void vm_keep_text(Vm *vm, Str text, Str url)
{
    (void)keep_source(vm, text, url, 0);
}

JsVal vm_eval(Vm *vm, Str text, Str url, u32 head_len)
{
    VmSource *source = keep_source(vm, text, url, head_len);
    return vm_code_eval(vm, js_ref_get(vm->js, &source->text), url);
}

JsVal vm_eval_module(Vm *vm, Str text, Str url)
{
    i64 head = str_find(text, '\n');
    ASSERT(head >= 0);
    VmSource *source = keep_source(vm, text, url, (u32)head + 1);
    source->has_head_line = true;
    return vm_code_eval(vm, js_ref_get(vm->js, &source->text), url);
}

/* Bun runs a file as an ES module that has nothing of CommonJS in it; it shows in stacks alone. */
static bool is_commonjs(Str text, Str path)
{
    static const char *const words[] = {"require", "module", "exports", "__dirname", "__filename"};
    for (u32 i = 0; i < COUNT(words); i++)
        if (memmem(text.p, text.n, words[i], strlen(words[i]))) return true;
    return str_ends(path, S(".cjs"));
}

JsVal vm_compile_cjs_with(Vm *vm, Str text, Str path, bool has_importer)
{
    AUTO(Buf) code = {0};
    bool has_hashbang = str_starts(text, S("#!"));
    const Wrapper *wrapper = is_commonjs(text, path) ? &CJS : &TOP_LEVEL;
    (void)buf_push(&code, wrapper->head);
    (void)buf_push(&code, PARAMS);
    if (has_importer) (void)buf_push(&code, IMPORTER_PARAM);
    (void)buf_push(&code, S(") { "));
    u32 head_len = (u32)code.len;
    if (has_hashbang) (void)buf_push(&code, S("//"));
    (void)buf_push(&code, has_hashbang ? str_skip(text, 2) : text);
    (void)buf_push(&code, wrapper->tail);
    JsVal fn = vm_eval(vm, buf_str(&code), path, head_len);
    if (fn) return fn;
    /* Nothing has run yet: this can only be a syntax error. */
    JsVal error = js_catch(vm->js);
    vm_explain_syntax(vm, error, text, path);
    return js_throw(vm->js, error);
}

JsVal vm_compile_cjs(Vm *vm, Str text, Str path)
{
    return vm_compile_cjs_with(vm, text, path, false);
}

/* ---- Lines of what runs -------------------------------------------------------------------------
 */

static u32 char_at(const JsChars *c, usize i)
{
    return c->is_latin1 ? c->latin1[i] : c->utf16[i];
}

/* Start of a line (1-based) in *ret_from, its end in *ret_to; the first line begins behind the
 * wrapper. */
static bool find_line(const JsChars *c, u32 head_len, u32 line, usize *ret_from, usize *ret_to)
{
    usize from = head_len;
    for (u32 at = 1; at < line; at++) {
        while (from < c->len && char_at(c, from) != '\n') from++;
        if (from++ >= c->len) return false;
    }
    usize to = from;
    while (to < c->len && char_at(c, to) != '\n') to++;
    *ret_from = from;
    *ret_to = to;
    return from <= c->len;
}

static const VmSource *find_source(Vm *vm, Str url, JsChars *ret_chars)
{
    const u64 *slot = str_map_find(&vm->sources, url);
    if (!slot) return NULL;
    const VmSource *source = (const VmSource *)(uintptr_t)*slot;
    JsVal text = js_ref_get(vm->js, &source->text);
    if (!text) return NULL;
    if (js_chars(vm->js, text, ret_chars)) return source;
    (void)js_catch(vm->js);
    return NULL;
}

static bool is_name_char(u32 c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c >= 0x80;
}

static bool is_name_start(u32 c)
{
    return is_name_char(c) && !(c >= '0' && c <= '9');
}

/* The start of the name that ends at `at`; `at` when there is none. */
static usize name_start(const JsChars *c, usize from, usize at)
{
    usize i = at;
    while (i > from && is_name_char(char_at(c, i - 1))) i--;
    return i < at && is_name_start(char_at(c, i)) ? i : at;
}

static bool is_word(const JsChars *c, usize from, usize to, Str word)
{
    for (usize i = from; i < to; i++)
        if (i - from >= word.n || char_at(c, i) != (u8)word.p[i - from]) return false;
    return to - from == word.n;
}

/* How many characters of a line are not the program's. */
static u32 head_on_line(const VmSource *source, u32 line)
{
    return line == 1 && !source->has_head_line ? source->head_len : 0;
}

/* Does `new ` stand before `at`? */
static bool is_behind_new(const JsChars *c, usize from, usize at)
{
    return at >= from + 4 && char_at(c, at - 1) == ' ' && is_word(c, at - 4, at - 1, S("new")) &&
           (at == from + 4 || !is_name_char(char_at(c, at - 5)));
}

/* Errors are pointed at by their name, as in Bun: their constructor is not in the stack. */
static bool is_error_name(const JsChars *c, usize from, usize to)
{
    return to - from >= 5 && is_word(c, to - 5, to, S("Error"));
}

/* The engine points behind the name of what is called or read; a reader looks for its start, or for
 * that of `new a.b.C`. */
static usize start_of_expression(const JsChars *c, usize from, usize to, usize at)
{
    if (at < to && is_name_char(char_at(c, at))) return at;
    usize start = name_start(c, from, at);
    if (start == at || is_error_name(c, start, at)) return start;
    usize head = start;
    while (head > from && char_at(c, head - 1) == '.') {
        usize before = name_start(c, from, head - 1);
        if (before == head - 1) break;
        head = before;
    }
    return is_behind_new(c, from, head) ? head - 4 : start;
}

static bool map_to_original(const VmSource *source, JsPosition *pos)
{
    SourceSegment found;
    if (!source->map_of) return false;
    if (!sourcemap_find(source->map_of(source->map_ctx), pos->line - 1, pos->column - 1, &found) ||
        found.source < 0)
        return false;
    pos->line = found.src_line + 1;
    pos->column = found.src_column + 1;
    return true;
}

/* Texts of node:vm that may say import() run under "cob-vm:NUMBER:NAME" (internal/vm_import). */
static bool drop_number(Str *url)
{
    Str rest = str_skip(*url, S("cob-vm:").n);
    i64 colon = str_find(rest, ':');
    if (colon < 0) return false;
    *url = str_skip(rest, (usize)colon + 1);
    return true;
}

bool vm_map_position(Js *js, JsPosition *pos)
{
    if (UNLIKELY(str_starts(pos->url, S("cob-vm:")))) return drop_number(&pos->url);
    JsChars chars;
    const VmSource *source = find_source(vm_of(js), pos->url, &chars);
    if (!source || !pos->column) return false;
    bool is_line_changed = source->has_head_line && pos->line > 1;
    if (is_line_changed) pos->line--;
    u32 column = pos->column;
    u32 head = head_on_line(source, pos->line);
    if (column <= head) return is_line_changed;
    column -= head;
    usize from, to;
    if (find_line(&chars, source->head_len, pos->line, &from, &to) && from + column - 1 <= to)
        column = (u32)(start_of_expression(&chars, from, to, from + column - 1) - from) + 1;
    bool is_changed = is_line_changed || column != pos->column;
    pos->column = column;
    return map_to_original(source, pos) || is_changed;
}

/* Does the word before `at` declare a variable that has to be initialized? */
static bool is_declared(const JsChars *c, usize from, usize at)
{
    usize end = at;
    while (end > from && (char_at(c, end - 1) == ' ' || char_at(c, end - 1) == '\n')) end--;
    if (end == at) return false;
    usize start = name_start(c, from, end);
    return is_word(c, start, end, S("let")) || is_word(c, start, end, S("const")) ||
           is_word(c, start, end, S("class"));
}

/* Is there a declaration of the name at [start, end) anywhere? */
static bool has_declaration(const JsChars *c, usize start, usize end)
{
    usize n = end - start;
    for (usize i = 0; i + n <= c->len; i++) {
        usize k = 0;
        while (k < n && char_at(c, i + k) == char_at(c, start + k)) k++;
        if (k < n || (i + n < c->len && is_name_char(char_at(c, i + n)))) continue;
        if (is_declared(c, 0, i)) return true;
    }
    return false;
}

/* The engine points behind a name that is read, and behind the "=" of an assignment; or, for want
 * of a place, somewhere else: then the name there is hardly one that has a declaration. */
bool vm_name_at(Js *js, Arena *a, const JsPosition *pos, Str *ret)
{
    JsChars c;
    usize from, to;
    const VmSource *source = find_source(vm_of(js), pos->url, &c);
    if (!source || !pos->column) return false;
    u32 line = source->has_head_line && pos->line > 1 ? pos->line - 1 : pos->line;
    if (!find_line(&c, source->head_len, line, &from, &to)) return false;
    u32 head = head_on_line(source, line);
    if (pos->column <= head) return false;
    usize at = from + (pos->column - head) - 1;
    if (at > to || (at < to && is_name_char(char_at(&c, at)))) return false;
    if (at > from + 1 && char_at(&c, at - 1) == '=' && char_at(&c, at - 2) == ' ') at -= 2;
    usize start = name_start(&c, from, at);
    if (start == at || !has_declaration(&c, start, at)) return false;
    JsVal name = c.is_latin1 ? js_str_latin1(js, c.latin1 + start, at - start)
                             : js_str_utf16(js, c.utf16 + start, at - start);
    if (js_to_str(js, a, name, ret)) return true;
    (void)js_catch(js);
    return false;
}

static bool line_of_text(Str text, u32 line, Str *ret)
{
    Str rest = text, head = {0};
    for (u32 i = 0; i < line; i++) {
        if (!rest.p) return false;
        i64 at = str_find(rest, '\n');
        head = at < 0 ? rest : (Str){rest.p, (usize)at};
        rest = at < 0 ? (Str){0} : str_skip(rest, (usize)at + 1);
    }
    if (str_ends(head, S("\r"))) head.n--;
    *ret = head;
    return true;
}

bool vm_source_line(Vm *vm, Arena *a, Str url, u32 line, Str *ret)
{
    JsChars chars;
    usize from, to;
    const VmSource *source = find_source(vm, url, &chars);
    if (source && source->original.p) return line_of_text(source->original, line, ret);
    if (!source || !find_line(&chars, source->head_len, line, &from, &to)) return false;
    if (to > from && char_at(&chars, to - 1) == '\r') to--;
    JsVal part = chars.is_latin1 ? js_str_latin1(vm->js, chars.latin1 + from, to - from)
                                 : js_str_utf16(vm->js, chars.utf16 + from, to - from);
    if (js_to_str(vm->js, a, part, ret)) return true;
    (void)js_catch(vm->js);
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
    ResolveOptions options = {0};
    if (vm->options->resolve) options = *vm->options->resolve;
    options.is_builtin = is_builtin;
    options.ctx = vm;
    options.cwd = S("/"); /* when the folder is gone */
    (void)!sys_cwd(s.arena, &options.cwd);
    (void)sys_env_find(s.arena, S("NODE_PATH"), &options.node_path);
    vm->resolver = resolver_new(&options);
    return true;
}

static bool throw_resolve(Vm *vm, const ResolveRequest *req, const ResolveError *e)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = vm->js;
    bool is_require = req->kind == RESOLVE_REQUIRE && !(req->flags & RESOLVE_FROM_DIR);
    if (!(req->flags & RESOLVE_FROM_DIR)) vm_on_file_missing(req->importer, req->specifier);
    Str message = resolve_error_with_stack(s.arena, e, &req->importer, is_require ? 1 : 0);
    if (e->hint.n) message = str_fmt(s.arena, "%.*s\n%.*s", STR_ARG(message), STR_ARG(e->hint));
    JsVal error = js_make_error_of(js, e->is_type_error ? JS_TYPE_ERROR : JS_ERROR, message);
    if (!js_set(js, error, "code", js_str(js, str_z(e->code)))) return false;
    /* For vm_resolve_hint, when the error is shown. */
    if (!js_define(js, error, "specifier", js_str(js, req->specifier), false) ||
        !js_define(js, error, "referrer", js_str(js, req->importer), false))
        return false;
    if (req->kind == RESOLVE_REQUIRE) {
        JsVal stack = js_array(js, NULL, 0);
        if (is_require && !js_set_index(js, stack, 0, js_str(js, req->importer))) return false;
        if (!js_set(js, error, "requireStack", stack)) return false;
    }
    js_throw(js, error);
    return false;
}

bool vm_need_resolver(Vm *vm)
{
    return vm->resolver || make_resolver(vm);
}

bool vm_resolve(Vm *vm, Str specifier, Str importer, ResolveKind kind, ResolveResult *ret)
{
    if (!vm_need_resolver(vm)) return false;
    ResolveRequest req = {.specifier = specifier, .importer = importer, .kind = kind};
    AUTO(Scratch) s = scratch_begin(NULL);
    if (!str_starts(importer, S("/"))) {
        req.importer = S("/");
        (void)!sys_cwd(s.arena, &req.importer);
        req.flags |= RESOLVE_FROM_DIR;
    }
    return resolve_module(vm->resolver, &req, ret) || throw_resolve(vm, &req, &ret->err);
}

Str vm_resolve_hint(Vm *vm, Arena *a, Str specifier, Str importer, ResolveKind kind)
{
    ResolveResult ret;
    ResolveRequest req = {
        .specifier = specifier, .importer = importer, .kind = kind, .flags = RESOLVE_WANT_HINT};
    if (!vm->resolver || !str_starts(importer, S("/"))) return S("");
    if (resolve_module(vm->resolver, &req, &ret)) return S("");
    return str_dup(a, ret.err.hint);
}

bool vm_resolve_require(Vm *vm, Str request, Str parent, Str *ret)
{
    ResolveResult found;
    if (!vm_resolve(vm, request, parent, RESOLVE_REQUIRE, &found)) return false;
    *ret = found.path;
    return true;
}
