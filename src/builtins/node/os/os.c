/* node/os/os.c -- native half of node:os. */
#include "builtins/builtins.h"
#include "sys/sys.h"

enum { FILE_MAX = 4 << 20, VALUES_PER_INTERFACE = 7 };

JS_NATIVE(os_hostname)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    int rc = sys_hostname(s.arena, &name);
    return rc < 0 ? js_throw_sys(js, rc, "gethostname", S("")) : js_str(js, name);
}

/* [sysname, release, version, machine] */
JS_NATIVE(os_uname)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysName name;
    int rc = sys_uname(s.arena, &name);
    if (rc < 0) return js_throw_sys(js, rc, "uname", S(""));
    JsVal parts[] = {js_str(js, name.sysname), js_str(js, name.release), js_str(js, name.version),
                     js_str(js, name.machine)};
    return js_array(js, parts, COUNT(parts));
}

JS_NATIVE(os_loadavg)
{
    f64 avg[3];
    int rc = sys_loadavg(avg);
    if (rc < 0) return js_throw_sys(js, rc, "getloadavg", S(""));
    JsVal out[] = {js_number(js, avg[0]), js_number(js, avg[1]), js_number(js, avg[2])};
    return js_array(js, out, COUNT(out));
}

/* [total memory, free memory, uptime in seconds] */
JS_NATIVE(os_machine)
{
    u64 total, available;
    f64 uptime_s;
    int rc = sys_machine(&total, &available, &uptime_s);
    if (rc < 0) return js_throw_sys(js, rc, "sysinfo", S(""));
    JsVal out[] = {js_number(js, (f64)total), js_number(js, (f64)available),
                   js_number(js, uptime_s)};
    return js_array(js, out, COUNT(out));
}

JS_NATIVE(os_cpu_count)
{
    return js_number(js, sys_cpu_count());
}

/* readText(path): a file of /proc or /sys, or undefined. */
JS_NATIVE(os_read_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (sys_read_file(s.arena, path, FILE_MAX, &text) < 0) return JS_UNDEFINED;
    return js_str(js, text);
}

static JsVal mac_text(Js *js, Arena *a, const u8 mac[6])
{
    return js_str(js, str_fmt(a, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3],
                              mac[4], mac[5]));
}

/* Address without its zone: that is a number of its own. */
static JsVal addr_text(Js *js, Arena *a, const SysAddr *addr)
{
    Str text = sys_addr_text(a, addr), head, tail;
    return js_str(js, str_cut(text, '%', &head, &tail) ? head : text);
}

/* interfaces() -> name, address, netmask, family, mac, is internal, scope (-1 for IPv4), ...; or
 * -errno. */
JS_NATIVE(os_interfaces)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysInterface *list;
    u32 n;
    int rc = sys_interfaces(s.arena, &list, &n);
    if (rc < 0) return js_int(js, rc);
    JsVal out = js_array(js, NULL, 0);
    for (u32 i = 0; i < n; i++) {
        const SysInterface *one = &list[i];
        bool is_v6 = one->addr.any.sa_family == AF_INET6;
        JsVal values[VALUES_PER_INTERFACE] = {
            js_str(js, one->name),
            addr_text(js, s.arena, &one->addr),
            addr_text(js, s.arena, &one->netmask),
            js_str(js, is_v6 ? S("IPv6") : S("IPv4")),
            mac_text(js, s.arena, one->mac),
            js_boolean(one->is_internal),
            js_number(js, is_v6 ? (f64)sys_addr_scope(&one->addr) : -1),
        };
        for (u32 k = 0; k < COUNT(values); k++) {
            if (!js_set_index(js, out, i * VALUES_PER_INTERFACE + k, values[k])) return NULL;
        }
    }
    return out;
}

/* user() -> [uid, gid, name, home, shell] or -errno. */
JS_NATIVE(os_user)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysUser user;
    int rc = sys_user_find(s.arena, sys_uid(), &user);
    if (rc < 0) return js_int(js, rc);
    JsVal out[] = {js_number(js, user.uid), js_number(js, user.gid), js_str(js, user.name),
                   js_str(js, user.home), js_str(js, user.shell)};
    return js_array(js, out, COUNT(out));
}

/* getPriority(pid) -> [0 or -errno, priority] */
JS_NATIVE(os_get_priority)
{
    int priority = 0;
    int rc = sys_priority_get(js_get_i32(js, js_arg(args, 0)), &priority);
    JsVal out[] = {js_int(js, rc), js_int(js, priority)};
    return js_array(js, out, COUNT(out));
}

/* setPriority(pid, priority) -> 0 or -errno */
JS_NATIVE(os_set_priority)
{
    return js_int(
        js, sys_priority_set(js_get_i32(js, js_arg(args, 0)), js_get_i32(js, js_arg(args, 1))));
}

static const JsFn fns[] = {
    JS_FN("hostname", os_hostname),        JS_FN("uname", os_uname),
    JS_FN("loadavg", os_loadavg),          JS_FN("machine", os_machine),
    JS_FN("cpuCount", os_cpu_count),       JS_FN("readText", os_read_text),
    JS_FN("interfaces", os_interfaces),    JS_FN("user", os_user),
    JS_FN("getPriority", os_get_priority), JS_FN("setPriority", os_set_priority),
};
BUILTIN_NATIVE(node_os, fns)
