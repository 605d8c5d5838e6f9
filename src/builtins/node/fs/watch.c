/* node/fs/watch.c -- native half of node:fs/watch: watches of the loop. */
#include "builtins/builtins.h"
#include "sys/sys.h"
#include "util/mem.h"

/* Owned by its JavaScript object until it is closed, then by the loop until on_close. */
typedef struct {
    LoopWatch watch;
    Vm *vm;
    JsRef callback, self; /* strong while the watch is open */
} FsWatch;

static const JsClass watch_class = {.name = "FSWatch"};

static void on_close(LoopHandle *h)
{
    mem_free(CONTAINER(FsWatch, watch.handle, h));
}

static void on_watch(LoopWatch *w, u32 events, Str name)
{
    FsWatch *fw = CONTAINER(FsWatch, watch, w);
    Js *js = fw->vm->js;
    JsVal bytes = js_u8array(js, name.p, name.n);
    vm_call(fw->vm, js_ref_get(js, &fw->callback), JS_ARGS(js_int(js, (i32)events), bytes));
}

static void close_watch(FsWatch *fw)
{
    js_ref_clear(fw->vm->js, &fw->callback);
    js_ref_clear(fw->vm->js, &fw->self);
    loop_handle_close(&fw->watch.handle, on_close);
}

static bool take_path(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return js_to_str(js, a, v, ret);
    *ret = str_dup(a, (Str){(const char *)bytes.p, bytes.n});
    return true;
}

static JsVal throw_watch(Js *js, int rc, Str path)
{
    JsVal error = js_make_sys_error(js, rc, "watch", path);
    if (!js_set(js, error, "filename", js_str(js, path))) return NULL;
    return js_throw(js, error);
}

/* start(path, isRecursive, isPersistent, callback) */
JS_NATIVE(watch_start)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!take_path(js, s.arena, js_arg(args, 0), &path)) return NULL;
    FsWatch *fw = MEM_NEW(FsWatch);
    fw->vm = vm_of(js);
    loop_watch_open(fw->vm->loop, &fw->watch);
    u32 flags = js_truthy(js, js_arg(args, 1)) ? LOOP_WATCH_RECURSIVE : 0;
    int rc = loop_watch_start(&fw->watch, path, flags, on_watch);
    if (rc < 0) {
        close_watch(fw);
        return throw_watch(js, rc, path);
    }
    if (!js_truthy(js, js_arg(args, 2))) loop_handle_unref(&fw->watch.handle);
    js_ref_set_strong(js, &fw->callback, js_arg(args, 3));
    JsVal self = js_wrap(js, &watch_class, fw);
    js_ref_set_strong(js, &fw->self, self);
    return self;
}

JS_NATIVE(watch_close)
{
    FsWatch *fw = js_unwrap_take(js, js_arg(args, 0), &watch_class);
    if (fw) close_watch(fw);
    return JS_UNDEFINED;
}

JS_NATIVE(watch_ref)
{
    FsWatch *fw = js_unwrap(js, js_arg(args, 0), &watch_class);
    if (fw) loop_handle_ref(&fw->watch.handle);
    return JS_UNDEFINED;
}

JS_NATIVE(watch_unref)
{
    FsWatch *fw = js_unwrap(js, js_arg(args, 0), &watch_class);
    if (fw) loop_handle_unref(&fw->watch.handle);
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("start", watch_start),
    JS_FN("close", watch_close),
    JS_FN("ref", watch_ref),
    JS_FN("unref", watch_unref),
};
BUILTIN_NATIVE(node_fs_watch, fns)
