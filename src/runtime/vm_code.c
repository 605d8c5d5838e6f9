/* runtime/vm_code.c -- compiled programs kept on disk (vm.h).
 *
 * A program is known by the path of its first file and has one file in the folder, which is either
 * only a header (it ran once) or what one run compiled.  It is written anew when a good part of
 * what runs was not in it. */
#include "runtime/vm.h"

#include "runtime/vm_pack.h"
#include "sys/sys.h"
#include "util/mem.h"
#include "util/vec.h"

#include <stdlib.h>
#include <string.h>

/* Less is not worth a file: a program of so many texts or bytes. */
enum { TEXTS_MIN = 8, BYTES_MIN = 32 << 10 };
/* More is not kept: texts, bytes of one and of all, bytes that may be encoded while idle. */
enum { TEXTS_MAX = 20000, TEXT_MAX = 16 << 20, IDLE_BYTES_MAX = 8 << 20 };
/* Of the whole folder: above the first, the oldest files go until it is below the second. */
#define FOLDER_MAX  ((u64)256 << 20)
#define FOLDER_KEPT ((u64)192 << 20)
enum { FILES_MAX = 4096, FILES_KEPT = 3072, FILES_SEEN_MAX = 20000, DAY_S = 24 * 3600 };
/* Programs that run once leave a mark: the folder is looked through after one in so many. */
enum { MARKS_A_SWEEP = 64 };

typedef struct {
    Str url;
    JsCode *code;  /* NULL: what was read is used again */
    PackItem item; /* what was read, if so */
} Text;

/* A file that was parsed: by `write`, or what was read. */
typedef struct {
    Str path, source;
    VmWriteKept *write;
    void *ctx;
    PackItem item;
} Parsed;

typedef struct VmCode {
    Str path, file; /* of the program; of what is kept */
    u8 build[PACK_BUILD_LEN];
    Pack pack;
    bool has_pack;                      /* it was there, perhaps without a record */
    bool is_eager;                      /* tests: everything is worth it at once */
    bool is_asked_for;                  /* by the program: however small it is */
    bool is_done;                       /* nothing is kept any more */
    usize new_bytes, all_bytes, n_seen; /* of texts */
    Vec(Text) texts;
    Vec(Parsed) parsed;
} VmCode;

/* ---- Where --------------------------------------------------------------------------------------
 */

static bool env(Arena *a, const char *name, Str *ret)
{
    return sys_env_find(a, str_z(name), ret);
}

/* What was said about it: a folder or "0"; "" for nothing.  The environment comes first. */
static Str find_setting(Vm *vm, Arena *a)
{
    static const char *const names[] = {"COB_CODE_CACHE", "BUN_RUNTIME_TRANSPILER_CACHE_PATH",
                                        "NODE_COMPILE_CACHE"};
    Str v;
    if (env(a, "NODE_DISABLE_COMPILE_CACHE", &v) && str_eq(v, S("1"))) return S("0");
    for (u32 i = 0; i < COUNT(names); i++)
        if (env(a, names[i], &v)) return v.n ? v : S("0");
    return vm->options->code_cache;
}

/* The folder, or "" when nothing is to be kept; `wanted` is the program's, if any. */
static Str find_dir(Vm *vm, Arena *a, Str wanted)
{
    Str v = find_setting(vm, a);
    if (str_eq(v, S("0"))) return S("");
    if (wanted.n) return wanted;
    if (v.n) return v;
    if (env(a, "XDG_CACHE_HOME", &v) && str_starts(v, S("/"))) return str_concat(a, v, S("/cob"));
    if (env(a, "HOME", &v) && str_starts(v, S("/"))) return str_concat(a, v, S("/.cache/cob"));
    return S("");
}

/* What else than the text the code depends on. */
static bool fill_build(u8 ret[PACK_BUILD_LEN])
{
    Str id = sys_build_id();
    memset(ret, 0, PACK_BUILD_LEN);
    if (!id.n || id.n > PACK_BUILD_LEN) return false;
    memcpy(ret, id.p, id.n);
    return true;
}

static u64 hash_of(Str s)
{
    u64 h = 0xcbf29ce484222325ULL;
    for (usize i = 0; i < s.n; i++) h = (h ^ (u8)s.p[i]) * 0x100000001b3ULL;
    return h ^ h >> 29;
}

/* Two programs of one hash take turns: the file says whose it is. */
static Str file_of(Arena *a, Str dir, Str path)
{
    return str_fmt(a, "%.*s/%016llx.code", STR_ARG(dir), (unsigned long long)hash_of(path));
}

/* Options of the engine may change what it makes of a text. */
static bool has_engine_options(Arena *a)
{
    Str *names;
    u32 len;
    sys_env_list(a, &names, &len);
    for (u32 i = 0; i < len; i++)
        if (str_starts(names[i], S("BUN_JSC_")) || str_starts(names[i], S("JSC_"))) return true;
    return false;
}

/* ---- Start --------------------------------------------------------------------------------------
 */

/* Files that are in use are not the oldest. */
static void touch(Str file, const SysStat *st)
{
    i64 now = (i64)(sys_realtime_ns() / 1000000000U);
    if (now - st->mtime.s < DAY_S) return;
    SysTime t = {.ns = SYS_TIME_NOW};
    (void)!sys_utimes(file, t, t);
}

static void open_pack(VmCode *c)
{
    Str bytes;
    SysStat st;
    if (sys_map_file_of(c->file, sys_euid(), &bytes, &st) < 0) return;
    /* It stays mapped: the engine reads functions when they are first called. */
    c->has_pack = pack_open(&c->pack, bytes, c->build, c->path);
    if (c->has_pack)
        touch(c->file, &st);
    else
        sys_unmap_file(bytes);
}

static bool is_worth_a_look(Str text)
{
    return text.n >= BYTES_MIN || str_find_str(text, S("import")) >= 0 ||
           str_find_str(text, S("Bun.serve")) >= 0 || str_find_str(text, S("require")) >= 0 ||
           str_find_str(text, S("export")) >= 0;
}

static void start(Vm *vm, Str dir, Str path)
{
    AUTO(Scratch) s = scratch_begin(&vm->arena);
    u8 build[PACK_BUILD_LEN];
    if (!js_code_works() || !fill_build(build) || has_engine_options(s.arena)) return;
    VmCode *c = ARENA_NEW(&vm->arena, VmCode);
    memcpy(c->build, build, sizeof(build));
    c->path = str_dup(&vm->arena, path);
    c->file = file_of(&vm->arena, dir, path);
    Str v;
    c->is_eager = env(s.arena, "COB_TEST_CODE_CACHE", &v) && str_eq(v, S("1"));
    open_pack(c);
    c->has_pack |= c->is_eager;
    vm->code = c;
}

void vm_code_open(Vm *vm, Str path, Str text)
{
    if (vm->code || vm->worker || !is_worth_a_look(text)) return;
    AUTO(Scratch) s = scratch_begin(&vm->arena);
    Str dir = find_dir(vm, s.arena, S(""));
    if (dir.n) start(vm, dir, path);
}

void vm_code_open_set(Vm *vm, Str name, bool is_eager)
{
    if (vm->code || vm->worker) return;
    AUTO(Scratch) s = scratch_begin(&vm->arena);
    Str dir = find_dir(vm, s.arena, S(""));
    if (!dir.n) return;
    start(vm, dir, name);
    if (vm->code && is_eager) vm->code->has_pack = true;
}

/* ---- Texts --------------------------------------------------------------------------------------
 */

static bool is_wanted(const VmCode *c, Str url, usize len)
{
    if (!c || c->is_done || len > TEXT_MAX || c->n_seen >= TEXTS_MAX) return false;
    /* Addresses with a query are of one run only, as those without a name. */
    return str_find(url, '?') < 0 && !str_starts(url, S("data:")) && url.p[0] != '[';
}

static Str bytes_of(const JsChars *c)
{
    return (Str){(const char *)c->latin1, c->is_latin1 ? c->len : c->len * 2};
}

static u32 flags_of(const JsChars *chars)
{
    return (chars->is_latin1 ? PACK_IS_LATIN1 : 0U) | PACK_PROGRAM;
}

/* Runs a text: `chars` are its characters, which a record has to have, too. */
static JsVal eval(Vm *vm, JsVal text, Str url, const JsChars *chars)
{
    VmCode *c = vm->code;
    Text t = {0};
    bool is_found = c->has_pack && pack_find(&vm->arena, &c->pack, url, PACK_PROGRAM, &t.item) &&
                    t.item.flags == flags_of(chars) && str_eq(t.item.text, bytes_of(chars));
    if (!is_found) t.item = (PackItem){0};
    c->n_seen++;
    c->all_bytes += chars->len;
    if (!c->has_pack) {
        c->new_bytes += chars->len;
        return js_eval_value(vm->js, text, url, 1);
    }
    JsVal result = js_code_eval(vm->js, text, url, t.item.code, &t.code);
    bool is_new = t.code && js_code_is_new(t.code);
    if (!is_found || is_new) c->new_bytes += chars->len;
    if (!is_new) {
        js_code_drop(vm->js, t.code);
        t.code = NULL;
    }
    t.url = is_found ? t.item.url : str_dup(&vm->arena, url);
    if (is_found || is_new) vec_push(&vm->arena, &c->texts, t);
    return result;
}

JsVal vm_code_eval(Vm *vm, JsVal text, Str url)
{
    JsChars chars;
    if (!url.n || !is_wanted(vm->code, url, js_str_len(vm->js, text)))
        return js_eval_value(vm->js, text, url, 1);
    if (!js_chars(vm->js, text, &chars)) return NULL;
    return eval(vm, text, url, &chars);
}

bool vm_code_find_parsed(Vm *vm, Str path, Str source, Str *ret)
{
    VmCode *c = vm->code;
    Parsed p = {0};
    if (!c->has_pack || !pack_find(&vm->arena, &c->pack, path, PACK_SOURCE, &p.item) ||
        !str_eq(p.item.text, source))
        return false;
    *ret = p.item.code;
    if (!c->is_done) vec_push(&vm->arena, &c->parsed, p);
    return true;
}

void vm_code_keep_parsed(Vm *vm, Str path, Str source, VmWriteKept *write, void *ctx)
{
    VmCode *c = vm->code;
    if (!c->has_pack || c->is_done || source.n > TEXT_MAX || c->parsed.len >= TEXTS_MAX) return;
    vec_push(&vm->arena, &c->parsed,
             ((Parsed){.path = path, .source = source, .write = write, .ctx = ctx}));
}

/* ---- Saving -------------------------------------------------------------------------------------
 */

static bool add_item(Buf *b, PackItem item)
{
    usize size = sizeof(PackRecord) + item.url.n + item.text.n + item.code.n + 3 * PACK_ALIGN;
    if (size > PACK_SIZE_MAX - b->len) return false;
    pack_add(b, item);
    return true;
}

static bool add_parsed(Buf *b, const Parsed *p, Buf *bytes)
{
    if (!p->write) return add_item(b, p->item);
    buf_clear(bytes);
    if (!p->write(p->ctx, bytes)) return false;
    return add_item(
        b, (PackItem){
               .url = p->path, .text = p->source, .code = buf_str(bytes), .flags = PACK_SOURCE});
}

static bool add_text(Vm *vm, Buf *b, const Text *t, Buf *code)
{
    PackItem item = t->item;
    if (t->code) {
        JsChars chars = js_code_text(t->code);
        buf_clear(code);
        if (!js_code_encode(vm->js, t->code, code)) return false;
        item = (PackItem){.url = t->url,
                          .text = bytes_of(&chars),
                          .code = buf_str(code),
                          .flags = flags_of(&chars)};
    }
    return add_item(b, item);
}

/* Everything that ran, in its order; without records when nothing was kept yet. */
static void build_pack(Vm *vm, Buf *b)
{
    VmCode *c = vm->code;
    AUTO(Buf) code = {0};
    u32 n = 0;
    pack_begin(b, c->build, c->path);
    for (u32 i = 0; i < c->parsed.len; i++) n += add_parsed(b, &c->parsed.at[i], &code);
    for (u32 i = 0; i < c->texts.len; i++) n += add_text(vm, b, &c->texts.at[i], &code);
    pack_end(b, n);
}

typedef struct {
    Str path;
    u64 size;
    i64 time;
} Kept;

static int by_age(const void *x, const void *y)
{
    i64 a = ((const Kept *)x)->time, b = ((const Kept *)y)->time;
    return (a > b) - (a < b);
}

/* The oldest go when there is too much; also what writers that were killed have left. */
static void sweep(Str dir)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Vec(Kept) kept = {0};
    SysDir d;
    SysDirEntry e;
    SysStat st;
    u64 sum = 0;
    if (sys_dir_open(dir, &d) < 0) return;
    while (sys_dir_next(&d, &e) > 0 && kept.len < FILES_SEEN_MAX) {
        if (!str_ends(e.name, S(".code")) && !str_ends(e.name, S(".tmp"))) continue;
        if (str_find_str(e.name, S(".code")) != 16) continue;
        Str path = str_fmt(s.arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(e.name));
        if (sys_lstat(path, &st) < 0 || !S_ISREG(st.mode)) continue;
        vec_push(s.arena, &kept, ((Kept){path, st.size, st.mtime.s}));
        sum += st.size;
    }
    sys_dir_close(&d);
    if (sum <= FOLDER_MAX && kept.len <= FILES_MAX) return;
    qsort(kept.at, kept.len, sizeof(Kept), by_age);
    for (u32 i = 0; i < kept.len; i++) {
        if (sum <= FOLDER_KEPT && kept.len - i <= FILES_KEPT) break;
        sum -= kept.at[i].size;
        (void)sys_unlink(kept.at[i].path);
    }
}

/* Creates the folder, for this user alone; not below somebody else's. */
static bool make_dir(Str dir)
{
    SysStat st;
    if (sys_stat(dir, &st) == 0) return S_ISDIR(st.mode) && st.uid == sys_euid();
    Str parent = dir;
    while (sys_stat(parent, &st) < 0) {
        i64 slash = str_rfind(parent, '/');
        if (slash <= 0) return false;
        parent.n = (usize)slash;
    }
    return st.uid == sys_euid() && sys_mkdir_all(dir, 0700, NULL) == 0;
}

static bool is_worth_writing(const VmCode *c)
{
    if (c->is_eager) return c->new_bytes > 0;
    if (!c->is_asked_for && c->n_seen < TEXTS_MIN && c->all_bytes < BYTES_MIN) return false;
    /* What changed now and then is compiled every time; writing all would cost more. */
    return !c->has_pack || c->new_bytes > c->all_bytes / 8;
}

static void drop_all(Vm *vm)
{
    for (u32 i = 0; i < vm->code->texts.len; i++) {
        js_code_drop(vm->js, vm->code->texts.at[i].code);
        vm->code->texts.at[i].code = NULL;
    }
    vm->code->texts.len = 0;
}

void vm_code_save(Vm *vm)
{
    VmCode *c = vm->code;
    if (!c || c->is_done) return;
    c->is_done = true;
    if (is_worth_writing(c)) {
        Str dir = {c->file.p, (usize)str_rfind(c->file, '/')};
        AUTO(Buf) b = {0};
        build_pack(vm, &b);
        bool is_due = c->has_pack || sys_monotonic_ns() / 1000 % MARKS_A_SWEEP == 0;
        if (!b.full && make_dir(dir) && sys_write_file_unsynced(c->file, buf_str(&b), 0600) == 0 &&
            is_due)
            sweep(dir);
    }
}

void vm_code_save_idle(Vm *vm)
{
    if (!vm->code || vm->code->is_done || vm->code->all_bytes > IDLE_BYTES_MAX) return;
    vm_code_save(vm);
    drop_all(vm);
}

/* ---- node:module --------------------------------------------------------------------------------
 */

Str vm_code_dir(Vm *vm)
{
    if (!vm->code) return S("");
    return (Str){vm->code->file.p, (usize)str_rfind(vm->code->file, '/')};
}

VmCodeStatus vm_code_enable(Vm *vm, Str dir)
{
    if (vm->code) {
        vm->code->has_pack = vm->code->is_asked_for = true; /* no need to see the program twice */
        return VM_CODE_ALREADY;
    }
    AUTO(Scratch) s = scratch_begin(&vm->arena);
    Str path = vm->main_path;
    dir = find_dir(vm, s.arena, dir);
    if (!dir.n || !path.n || vm->worker) return VM_CODE_DISABLED;
    if (!make_dir(dir)) return VM_CODE_FAILED;
    start(vm, dir, path);
    if (vm->code) vm->code->has_pack = vm->code->is_asked_for = true;
    return vm->code ? VM_CODE_ENABLED : VM_CODE_FAILED;
}
