/* node/process/process.c -- native half of node:process. */
#include "builtins/builtins.h"
#include "runtime/vm_worker.h"
#include "sys/sys.h"
#include "util/mem.h"

#include <ares_version.h>
#include <nghttp2/nghttp2ver.h>
#include <openssl/opensslv.h>
#include <zlib.h>
#include <zstd.h>

static JsVal str_list(Js *js, const Str *at, u32 len)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < len; i++)
        if (!js_set_index(js, list, i, js_str(js, at[i]))) return NULL;
    return list;
}

static JsVal argv_list(Vm *vm)
{
    Js *js = vm->js;
    const VmOptions *o = vm->options;
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    if (!js_set_index(js, list, n++, js_str(js, o->exec_path))) return NULL;
    if (vm->main_path.n && !js_set_index(js, list, n++, js_str(js, vm->main_path))) return NULL;
    for (u32 i = 0; i < o->n_args; i++)
        if (!js_set_index(js, list, n++, js_str(js, o->args[i]))) return NULL;
    return list;
}

/* What the names in process.versions stand for: the API levels that we implement, then our parts.
 */
static bool put_versions(Js *js, JsVal obj)
{
    static const struct {
        const char *name, *version;
    } rows[] = {
        {"node", "24.22.3"},
        {"bun", "1.4.5"},
        {"v8", "13.6.233.10-node.18"},
        {"uv", "1.51.0"},
        {"modules", "137"},
        {"napi", "10"},
        {"webkit", "2.50.6"},
        {"icu", "72.1"},
        {"unicode", "15.0"},
        {"liburing", "2.3"},
        {"openssl", OPENSSL_VERSION_STR},
        {"zlib", ZLIB_VERSION},
        {"zstd", ZSTD_VERSION_STRING},
        {"ares", ARES_VERSION_STR},
        {"nghttp2", NGHTTP2_VERSION},
    };
    for (u32 i = 0; i < COUNT(rows); i++)
        if (!js_set(js, obj, rows[i].name, js_str(js, str_z(rows[i].version)))) return false;
    return js_set(js, obj, "cob", js_str(js, vm_version()));
}

/* A channel to the parent: its descriptor and how messages are written.  Children of ours shall not
 * take it for theirs. */
static bool put_ipc(Js *js, JsVal facts)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str fd, mode = S("json");
    u64 n = 0;
    if (!sys_env_find(s.arena, S("NODE_CHANNEL_FD"), &fd) || !str_to_u64(fd, &n)) return true;
    (void)sys_env_find(s.arena, S("NODE_CHANNEL_SERIALIZATION_MODE"), &mode);
    (void)sys_env_del(S("NODE_CHANNEL_FD"));
    (void)sys_env_del(S("NODE_CHANNEL_SERIALIZATION_MODE"));
    if (n > INT32_MAX || sys_set_cloexec((int)n, true) < 0) return true;
    return js_set(js, facts, "ipcFd", js_int(js, (i32)n)) &&
           js_set(js, facts, "ipcMode", js_str(js, mode));
}

JS_NATIVE(process_facts)
{
    Vm *vm = vm_of(js);
    const VmOptions *o = vm->options;
    JsVal facts = js_object(js), versions = js_object(js);
    JsVal argv = argv_list(vm);
    if (!argv) return NULL;
    JsVal exec_argv = str_list(js, o->exec_argv, o->n_exec_argv);
    if (!exec_argv) return NULL;
    bool ok = put_versions(js, versions) && js_set(js, facts, "versions", versions) &&
              js_set(js, facts, "argv", argv) && js_set(js, facts, "execArgv", exec_argv) &&
              js_set(js, facts, "execPath", js_str(js, o->exec_path)) &&
              js_set(js, facts, "argv0", js_str(js, o->argv0)) &&
              js_set(js, facts, "pid", js_int(js, sys_pid())) &&
              js_set(js, facts, "ppid", js_int(js, sys_ppid())) &&
              js_set(js, facts, "revision", js_str(js, vm_revision())) && put_ipc(js, facts);
    return ok ? facts : NULL;
}

JS_NATIVE(process_exit)
{
    vm_stop(vm_of(js), js_get_i32(js, js_arg(args, 0)) & 0xff);
    return js_throw_error(js, "the worker ends"); /* becomes what no script can catch */
}

JS_NATIVE(process_abort)
{
    (void)sys_tty_restore();
    (void)sys_signal_default(SIGABRT);
    (void)sys_signal_raise(SIGABRT);
    return JS_UNDEFINED;
}

JS_NATIVE(process_set_exit_hooks)
{
    Vm *vm = vm_of(js);
    js_ref_set_strong(js, &vm->before_exit, js_arg(args, 0));
    js_ref_set_strong(js, &vm->exit, js_arg(args, 1));
    return JS_UNDEFINED;
}

/* ---- Where and who ----------------------------------------------------------------------------
 */

JS_NATIVE(process_cwd)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str cwd;
    int rc = sys_cwd(s.arena, &cwd);
    if (rc < 0) return js_int(js, rc);
    return js_str(js, cwd);
}

/* chdir(path), kill(pid, signo) -> 0 or -errno */
JS_NATIVE(process_chdir)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &dir)) return NULL;
    return js_int(js, sys_chdir(dir));
}

JS_NATIVE(process_umask)
{
    i32 mask = js_get_i32(js, js_arg(args, 0));
    return js_int(js, (i32)(mask < 0 ? sys_umask_get() : sys_umask((u32)mask)));
}

JS_NATIVE(process_ids)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    u32 id = str_eq(name, S("getuid"))    ? sys_uid()
             : str_eq(name, S("geteuid")) ? sys_euid()
             : str_eq(name, S("getgid"))  ? sys_gid()
                                          : sys_egid();
    return js_number(js, id);
}

/* ---- Time -------------------------------------------------------------------------------------
 */

enum { NS_PER_S = 1000000000 };

JS_NATIVE(process_uptime)
{
    return js_number(js, (f64)(sys_monotonic_ns() - vm_of(js)->start_ns) / 1e9);
}

JS_NATIVE(process_hrtime)
{
    u64 ns = sys_monotonic_ns();
    u64 seconds = ns / NS_PER_S, rest = ns % NS_PER_S;
    JsVal pair[] = {js_number(js, (f64)seconds), js_number(js, (f64)rest)};
    return js_array(js, pair, COUNT(pair));
}

JS_NATIVE(process_hrtime_bigint)
{
    return js_bigint_u64(js, sys_monotonic_ns());
}

/* ---- Signals ----------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"SIGHUP", SIGHUP},   {"SIGINT", SIGINT},     {"SIGQUIT", SIGQUIT},
    {"SIGILL", SIGILL},   {"SIGTRAP", SIGTRAP},   {"SIGABRT", SIGABRT},
    {"SIGIOT", SIGIOT},   {"SIGBUS", SIGBUS},     {"SIGFPE", SIGFPE},
    {"SIGKILL", SIGKILL}, {"SIGUSR1", SIGUSR1},   {"SIGSEGV", SIGSEGV},
    {"SIGUSR2", SIGUSR2}, {"SIGPIPE", SIGPIPE},   {"SIGALRM", SIGALRM},
    {"SIGTERM", SIGTERM}, {"SIGCHLD", SIGCHLD},   {"SIGSTKFLT", SIGSTKFLT},
    {"SIGCONT", SIGCONT}, {"SIGSTOP", SIGSTOP},   {"SIGTSTP", SIGTSTP},
    {"SIGTTIN", SIGTTIN}, {"SIGTTOU", SIGTTOU},   {"SIGURG", SIGURG},
    {"SIGXCPU", SIGXCPU}, {"SIGXFSZ", SIGXFSZ},   {"SIGVTALRM", SIGVTALRM},
    {"SIGPROF", SIGPROF}, {"SIGWINCH", SIGWINCH}, {"SIGIO", SIGIO},
    {"SIGPOLL", SIGPOLL}, {"SIGPWR", SIGPWR},     {"SIGSYS", SIGSYS},
};

JS_NATIVE(process_signals)
{
    JsVal map = js_object_null_proto(js);
    for (u32 i = 0; i < COUNT(signals); i++)
        if (!js_set(js, map, signals[i].name, js_int(js, signals[i].number))) return NULL;
    return map;
}

typedef struct {
    LoopSignal handle;
    Vm *vm;
    JsRef fn;
} Watch;

struct VmSignals {
    Watch watches[SYS_SIGNAL_MAX + 1];
};

static void on_signal(LoopSignal *handle, int signo)
{
    (void)signo;
    Watch *w = CONTAINER(Watch, handle, handle);
    vm_call(w->vm, js_ref_get(w->vm->js, &w->fn), JS_NO_ARGS);
}

/* signalStart(number, fn): fn() at each arrival. */
JS_NATIVE(process_signal_start)
{
    Vm *vm = vm_of(js);
    i32 signo = js_get_i32(js, js_arg(args, 0));
    JS_EXPECT(js, signo > 0 && signo <= SYS_SIGNAL_MAX);
    if (!vm->signals) vm->signals = MEM_NEW(struct VmSignals);
    Watch *w = &vm->signals->watches[signo];
    if (!w->vm) loop_signal_open(vm->loop, &w->handle);
    w->vm = vm;
    js_ref_set_strong(js, &w->fn, js_arg(args, 1));
    int rc = loop_signal_start(&w->handle, signo, on_signal);
    if (rc < 0) return js_throw_sys(js, rc, "uv_signal_start", S(""));
    return JS_UNDEFINED;
}

JS_NATIVE(process_signal_stop)
{
    Vm *vm = vm_of(js);
    i32 signo = js_get_i32(js, js_arg(args, 0));
    JS_EXPECT(js, signo > 0 && signo <= SYS_SIGNAL_MAX);
    Watch *w = vm->signals ? &vm->signals->watches[signo] : NULL;
    if (!w || !w->vm) return JS_UNDEFINED;
    loop_signal_stop(&w->handle);
    js_ref_clear(js, &w->fn);
    return JS_UNDEFINED;
}

JS_NATIVE(process_kill)
{
    i32 pid = js_get_i32(js, js_arg(args, 0)), signo = js_get_i32(js, js_arg(args, 1));
    return js_int(js, sys_kill(pid, signo));
}

JS_NATIVE(process_title)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str title;
    if (sys_title_get(s.arena, &title) < 0) title = vm_of(js)->options->argv0;
    return js_str(js, title);
}

JS_NATIVE(process_set_title)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str title;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &title)) return NULL;
    (void)!sys_title_set(title);
    return JS_UNDEFINED;
}

/* The flags that programs read as properties of process. */
JS_NATIVE(process_flags)
{
    const VmOptions *o = vm_of(js)->options;
    JsVal flags = js_object(js);
    bool ok = js_set(js, flags, "noDeprecation", js_boolean(o->no_deprecation)) &&
              js_set(js, flags, "throwDeprecation", js_boolean(o->throw_deprecation)) &&
              js_set(js, flags, "traceDeprecation", js_boolean(o->trace_deprecation));
    return ok ? flags : NULL;
}

static const JsFn fns[] = {
    JS_FN("flags", process_flags),
    JS_FN("facts", process_facts),
    JS_FN("exit", process_exit),
    JS_FN("abort", process_abort),
    JS_FN("setExitHooks", process_set_exit_hooks),
    JS_FN("cwd", process_cwd),
    JS_FN("chdir", process_chdir),
    JS_FN("umask", process_umask),
    JS_FN("ids", process_ids),
    JS_FN("uptime", process_uptime),
    JS_FN("hrtime", process_hrtime),
    JS_FN("hrtimeBigint", process_hrtime_bigint),
    JS_FN("signals", process_signals),
    JS_FN("signalStart", process_signal_start),
    JS_FN("signalStop", process_signal_stop),
    JS_FN("kill", process_kill),
    JS_FN("title", process_title),
    JS_FN("setTitle", process_set_title),
};
BUILTIN_NATIVE(node_process, fns)
