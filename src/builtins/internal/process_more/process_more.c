/* internal/process_more/process_more.c -- native half of internal/process_more. */
#include "builtins/builtins.h"
#include "sys/sys.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#include <sys/resource.h>

static JsVal numbers(Js *js, const f64 *at, u32 len)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < len; i++)
        if (!js_set_index(js, list, i, js_number(js, at[i]))) return NULL;
    return list;
}

/* [rss, heapTotal, heapUsed, external, arrayBuffers] in bytes. */
JS_NATIVE(more_memory_usage)
{
    SysMemory mem = {0};
    int rc = sys_memory(false, &mem);
    if (rc < 0) return js_throw_sys(js, rc, "uv_resident_set_memory", S(""));
    JsMemory heap = js_heap_memory(js);
    f64 out[] = {(f64)mem.rss, (f64)heap.heap_capacity, (f64)heap.heap_size, (f64)heap.extra_memory,
                 (f64)heap.extra_memory};
    return numbers(js, out, COUNT(out));
}

/* In the order of process.resourceUsage; what Linux does not count is 0. */
JS_NATIVE(more_resource_usage)
{
    SysUsage u = {0};
    int rc = sys_usage(RUSAGE_SELF, &u);
    if (rc < 0) return js_throw_sys(js, rc, "uv_getrusage", S(""));
    f64 out[] = {(f64)u.utime_us,
                 (f64)u.stime_us,
                 (f64)u.max_rss_kb,
                 0,
                 0,
                 0,
                 (f64)u.minor_faults,
                 (f64)u.major_faults,
                 (f64)u.swaps,
                 (f64)u.block_in,
                 (f64)u.block_out,
                 (f64)u.msg_sent,
                 (f64)u.msg_received,
                 (f64)u.signals,
                 (f64)u.voluntary_switches,
                 (f64)u.forced_switches};
    return numbers(js, out, COUNT(out));
}

JS_NATIVE(more_thread_usage)
{
    SysUsage u = {0};
    int rc = sys_usage(RUSAGE_THREAD, &u);
    if (rc < 0) return js_throw_sys(js, rc, "uv_getrusage_thread", S(""));
    f64 out[] = {(f64)u.utime_us, (f64)u.stime_us};
    return numbers(js, out, COUNT(out));
}

/* The limit of the control group, or the machine's memory. */
static u64 memory_limit(u64 total)
{
    static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 i = 0; i < COUNT(files); i++) {
        Str text;
        u64 limit;
        if (sys_read_file(s.arena, str_z(files[i]), SYS_PATH_MAX, &text) < 0) continue;
        if (str_to_u64(str_trim(text), &limit) && limit < total) return limit;
    }
    return 0;
}

JS_NATIVE(more_available_memory)
{
    u64 total = 0, available = 0;
    f64 uptime;
    int rc = sys_machine(&total, &available, &uptime);
    if (rc < 0) return js_throw_sys(js, rc, "sysinfo", S(""));
    SysMemory mem = {0};
    u64 limit = memory_limit(total);
    if (limit && sys_memory(false, &mem) == 0)
        available = MIN(available, limit > mem.rss ? limit - mem.rss : 0);
    return js_number(js, (f64)available);
}

JS_NATIVE(more_constrained_memory)
{
    u64 total = 0, available = 0;
    f64 uptime;
    int rc = sys_machine(&total, &available, &uptime);
    if (rc < 0) return js_throw_sys(js, rc, "sysinfo", S(""));
    u64 limit = memory_limit(total);
    return js_number(js, (f64)(limit ? limit : total));
}

JS_NATIVE(more_groups)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    u32 *ids, len;
    int rc = sys_groups(s.arena, &ids, &len);
    if (rc < 0) return js_throw_sys(js, rc, "getgroups", S(""));
    f64 *out = ARENA_ARRAY(s.arena, f64, len);
    for (u32 i = 0; i < len; i++) out[i] = ids[i];
    return numbers(js, out, len);
}

/* userId(name), groupId(name) -> the number, or -1 when there is none. */
JS_NATIVE(more_user_id)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    u32 uid, gid;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    return js_number(js, sys_user_named(name, &uid, &gid) < 0 ? -1 : (f64)uid);
}

JS_NATIVE(more_group_id)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    u32 gid;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    return js_number(js, sys_group_named(name, &gid) < 0 ? -1 : (f64)gid);
}

/* setId("setuid" and so on, number) */
JS_NATIVE(more_set_id)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    u32 id = (u32)js_get_i64(js, js_arg(args, 1));
    int rc = str_eq(name, S("setuid"))    ? sys_set_uid(id)
             : str_eq(name, S("seteuid")) ? sys_set_euid(id)
             : str_eq(name, S("setgid"))  ? sys_set_gid(id)
                                          : sys_set_egid(id);
    if (rc < 0) return js_throw_sys(js, rc, str_dup_z(s.arena, name), S(""));
    return JS_UNDEFINED;
}

/* setGroups(array of numbers) */
JS_NATIVE(more_set_groups)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    u32 len;
    if (!js_array_len(js, js_arg(args, 0), &len)) return NULL;
    u32 *ids = ARENA_ARRAY(s.arena, u32, len);
    for (u32 i = 0; i < len; i++) {
        JsVal id = js_get_index(js, js_arg(args, 0), i);
        if (!id) return NULL;
        ids[i] = (u32)js_get_i64(js, id);
    }
    int rc = sys_set_groups(ids, len);
    return rc < 0 ? js_throw_sys(js, rc, "setgroups", S("")) : JS_UNDEFINED;
}

/* initGroups(user name, number of the extra group) */
JS_NATIVE(more_init_groups)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str user;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &user)) return NULL;
    int rc = sys_user_groups_init(user, (u32)js_get_i64(js, js_arg(args, 1)));
    return rc < 0 ? js_throw_sys(js, rc, "initgroups", S("")) : JS_UNDEFINED;
}

/* An array of strings as execve wants it; NULL with an exception. */
static char **text_list(Js *js, Arena *a, JsVal list)
{
    u32 len;
    if (!js_array_len(js, list, &len)) return NULL;
    char **out = ARENA_ARRAY(a, char *, len + 1);
    for (u32 i = 0; i < len; i++) {
        Str text;
        JsVal v = js_get_index(js, list, i);
        if (!v || !js_to_str(js, a, v, &text)) return NULL;
        out[i] = str_dup_z(a, text);
    }
    return out;
}

/* execve(path, args, env): does not return when it works. */
JS_NATIVE(more_execve)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    char **argv = text_list(js, s.arena, js_arg(args, 1));
    char **env = argv ? text_list(js, s.arena, js_arg(args, 2)) : NULL;
    if (!env) return NULL;
    return js_throw_sys(js, sys_exec(path, argv, env), "execve", path);
}

/* appendText(path, text) -> was it possible? */
JS_NATIVE(more_append_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    int fd = sys_open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    bool ok = fd >= 0 && sys_write_all(fd, text) == 0;
    if (fd >= 0) sys_close(fd);
    return js_boolean(ok);
}

JS_NATIVE(more_flags)
{
    const VmOptions *o = vm_of(js)->options;
    JsVal flags = js_object(js);
    if (!js_set(js, flags, "noWarnings", js_boolean(o->no_warnings))) return NULL;
    if (!js_set(js, flags, "traceWarnings", js_boolean(o->trace_warnings))) return NULL;
    if (!js_set(js, flags, "redirectWarnings", js_str(js, o->redirect_warnings))) return NULL;
    JsVal disabled = js_array(js, NULL, 0);
    for (u32 i = 0; i < o->n_disable_warnings; i++)
        if (!js_set_index(js, disabled, i, js_str(js, o->disable_warnings[i]))) return NULL;
    if (!js_set(js, flags, "disableWarnings", disabled)) return NULL;
    return flags;
}

JS_NATIVE(more_print_error)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    (void)!sys_write_all(2, text);
    return JS_UNDEFINED;
}

JS_NATIVE(more_read_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (!vm_read_text(vm_of(js), s.arena, path, &text)) return NULL;
    return js_str(js, text);
}

/* process.getBuiltinModule: undefined for what is no public built-in. */
JS_NATIVE(more_public_builtin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    Str id = vm_builtin_public(vm_of(js), name);
    return id.n ? vm_builtin(vm_of(js), id) : JS_UNDEFINED;
}

/* The version of glibc that runs, or "" where the C library is another. */
JS_NATIVE(more_libc_version)
{
    (void)args;
#ifdef __GLIBC__
    return js_str(js, str_z(gnu_get_libc_version()));
#else
    return js_str(js, S(""));
#endif
}

static const JsFn fns[] = {
    JS_FN("memoryUsage", more_memory_usage),
    JS_FN("resourceUsage", more_resource_usage),
    JS_FN("threadUsage", more_thread_usage),
    JS_FN("availableMemory", more_available_memory),
    JS_FN("constrainedMemory", more_constrained_memory),
    JS_FN("groups", more_groups),
    JS_FN("setId", more_set_id),
    JS_FN("flags", more_flags),
    JS_FN("printError", more_print_error),
    JS_FN("userId", more_user_id),
    JS_FN("groupId", more_group_id),
    JS_FN("setGroups", more_set_groups),
    JS_FN("initGroups", more_init_groups),
    JS_FN("execve", more_execve),
    JS_FN("appendText", more_append_text),
    JS_FN("readText", more_read_text),
    JS_FN("publicBuiltin", more_public_builtin),
    JS_FN("libcVersion", more_libc_version),
};
BUILTIN_NATIVE(internal_process_more, fns)
