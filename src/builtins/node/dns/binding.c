/* node/dns/binding.c -- native half of node:dns: names of hosts, and questions to servers.
 *
 * A question is a struct with a strong reference to its callback, which is called once: callback(
 * error, value), where error is an EAI number, a name of c-ares's, or null. */
#include "builtins/internal/sockets/sockets.h"
#include "net/dns.h"

#include "util/mem.h"

#include <string.h>

enum { CHANNELS_MAX = 65536, SERVERS_MAX = 64 };

typedef struct VmDns {
    DnsChannel **at;
    u32 n, cap;
} VmDns;

typedef struct {
    Vm *vm;
    JsRef callback;
    LoopReq work;
    NetLookup lookup;
    bool is_all, is_reverse;
    int type;
    SysAddr addr;
    Arena arena;
    Str host, service;
} Question;

static VmDns *dns_of(Js *js)
{
    VmNet *net = sock_net(js);
    if (!net->dns) net->dns = MEM_NEW(VmDns);
    return net->dns;
}

static Question *question_new(Js *js, JsVal callback)
{
    Question *q = MEM_NEW(Question);
    q->vm = vm_of(js);
    js_ref_set_strong(js, &q->callback, callback);
    return q;
}

static void answer(Question *q, JsVal error, JsVal value)
{
    Vm *vm = q->vm;
    JsVal callback = js_ref_get(vm->js, &q->callback);
    js_ref_clear(vm->js, &q->callback);
    arena_deinit(&q->arena);
    mem_free(q);
    if (!callback) return;
    if (error && value)
        vm_call(vm, callback, JS_ARGS(error, value));
    else
        vm_report_pending(vm);
}

/* ---- The system ----------------------------------------------------------------------------- */

static void on_lookup(NetLookup *l, int rc, const SysAddr *addrs, u32 n)
{
    Question *q = CONTAINER(Question, lookup, l);
    Js *js = q->vm->js;
    JsVal list = js_array(js, NULL, 0);
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 i = 0; i < n && rc == 0 && list; i++) {
        JsVal text = js_str(js, sys_addr_text(s.arena, &addrs[i]));
        JsVal family = js_int(js, addrs[i].any.sa_family == AF_INET ? 4 : 6);
        bool is_set =
            js_set_index(js, list, i * 2, text) && js_set_index(js, list, i * 2 + 1, family);
        if (!is_set) list = NULL;
    }
    answer(q, rc < 0 ? js_int(js, rc) : JS_NULL, list);
}

/* lookup(host, family, flags, callback): flags NET_LOOKUP_x. */
JS_NATIVE(dns_lookup)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str host;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &host)) return NULL;
    Question *q = question_new(js, js_arg(args, 3));
    q->lookup.on_done = on_lookup;
    u8 family = (u8)js_get_i32(js, js_arg(args, 1));
    u32 flags = (u32)js_get_i32(js, js_arg(args, 2));
    net_lookup(q->vm->loop, &q->lookup, host, 0, family, flags);
    return JS_UNDEFINED;
}

static i64 name_work(LoopReq *req)
{
    Question *q = CONTAINER(Question, work, req);
    return sys_host_name(&q->arena, &q->addr, &q->host, &q->service);
}

static void on_name(LoopReq *req, i64 res)
{
    Question *q = CONTAINER(Question, work, req);
    Js *js = q->vm->js;
    if (res < 0) {
        answer(q, js_int(js, (i32)res), JS_UNDEFINED);
        return;
    }
    JsVal pair = js_array(js, JS_ARGS(js_str(js, q->host), js_str(js, q->service)).at, 2);
    answer(q, JS_NULL, pair);
}

/* lookupService(address, port, callback) */
JS_NATIVE(dns_lookup_service)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str address;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &address)) return NULL;
    Question *q = question_new(js, js_arg(args, 2));
    int rc = sys_addr_parse(address, (u16)js_get_i32(js, js_arg(args, 1)), &q->addr);
    ASSERT(rc == 0);
    q->work.on_done = on_name;
    loop_req_work(q->vm->loop, &q->work, name_work);
    return JS_UNDEFINED;
}

/* [hits, hitsInflight, misses, errors, total, size] of the memory of Bun.dns. */
JS_NATIVE(dns_cache_stats)
{
    NetCacheStats t = net_cache_stats(vm_of(js)->loop);
    u64 n[] = {t.hits_done, t.hits_pending, t.misses, t.errors, t.total, t.size};
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < COUNT(n); i++) {
        if (!js_set_index(js, list, i, js_number(js, (f64)n[i]))) return NULL;
    }
    return list;
}

/* ---- Channels ------------------------------------------------------------------------------- */

/* channelNew(timeoutMs, tries, maxTimeoutMs) -> number. */
JS_NATIVE(dns_channel_make)
{
    VmDns *dns = dns_of(js);
    if (dns->n == CHANNELS_MAX) return js_throw_error(js, "too many resolvers");
    if (dns->n == dns->cap) {
        dns->cap = MAX(dns->cap * 2, 8U);
        dns->at = mem_resize(dns->at, dns->cap * sizeof(*dns->at));
    }
    u32 n[3];
    for (u32 i = 0; i < 3; i++) n[i] = (u32)MAX(js_get_i32(js, js_arg(args, i)), 0);
    u32 i = 0;
    while (i < dns->n && dns->at[i]) i++;
    if (i == dns->n) dns->n++;
    dns->at[i] = dns_channel_new(vm_of(js)->loop, n[0], n[1], n[2]);
    return js_int(js, (i32)i);
}

/* NULL with an exception: the first argument is no channel. */
static DnsChannel *channel_arg(Js *js, JsArgs args)
{
    VmDns *dns = dns_of(js);
    u32 i = (u32)js_get_i32(js, js_arg(args, 0));
    if (i < dns->n && dns->at[i]) return dns->at[i];
    (void)js_throw_illegal(js);
    return NULL;
}

JS_NATIVE(dns_channel_drop)
{
    VmDns *dns = dns_of(js);
    u32 i = (u32)js_get_i32(js, js_arg(args, 0));
    DnsChannel *channel = channel_arg(js, args);
    if (!channel) return NULL;
    dns_channel_free(channel);
    dns->at[i] = NULL;
    return JS_UNDEFINED;
}

JS_NATIVE(dns_channel_stop)
{
    DnsChannel *channel = channel_arg(js, args);
    if (!channel) return NULL;
    dns_channel_cancel(channel);
    return JS_UNDEFINED;
}

/* setServers(channel, "a,b,c") -> null or the name of an error. */
JS_NATIVE(dns_set_servers)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str csv;
    DnsChannel *channel = channel_arg(js, args);
    if (!channel || !js_to_str(js, s.arena, js_arg(args, 1), &csv)) return NULL;
    int rc = dns_channel_set_servers(channel, csv.p);
    return rc == DNS_OK ? JS_NULL : js_str(js, str_z(dns_status_name(rc)));
}

/* [address, port, address, port, ...] */
JS_NATIVE(dns_servers)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysAddr addrs[SERVERS_MAX];
    DnsChannel *channel = channel_arg(js, args);
    if (!channel) return NULL;
    u32 n = dns_channel_servers(channel, addrs, COUNT(addrs));
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < n; i++) {
        JsVal text = js_str(js, sys_addr_text(s.arena, &addrs[i]));
        if (!js_set_index(js, list, i * 2, text)) return NULL;
        if (!js_set_index(js, list, i * 2 + 1, js_int(js, sys_addr_port(&addrs[i])))) return NULL;
    }
    return list;
}

/* setLocal(channel, ipv4, ipv6): addresses or empty. */
JS_NATIVE(dns_set_local)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysAddr addrs[2];
    bool has[2];
    DnsChannel *channel = channel_arg(js, args);
    if (!channel) return NULL;
    for (u32 i = 0; i < 2; i++) {
        Str text;
        if (!js_to_str(js, s.arena, js_arg(args, i + 1), &text)) return NULL;
        has[i] = sys_addr_parse(text, 0, &addrs[i]) == 0;
    }
    dns_channel_set_local(channel, has[0] ? &addrs[0] : NULL, has[1] ? &addrs[1] : NULL);
    return JS_UNDEFINED;
}

/* ---- Records -------------------------------------------------------------------------------- */

enum {
    TYPE_A = 1,
    TYPE_NS = 2,
    TYPE_CNAME = 5,
    TYPE_SOA = 6,
    TYPE_PTR = 12,
    TYPE_MX = 15,
    TYPE_TXT = 16,
    TYPE_AAAA = 28,
    TYPE_SRV = 33,
    TYPE_NAPTR = 35,
    TYPE_TLSA = 52,
    TYPE_CAA = 257,
};

typedef struct {
    Js *js;
    Arena *arena;
    Str message;
    JsVal list; /* what is found, flat */
    u32 n;
    bool is_bad;
} Fields;

static void add(Fields *f, JsVal value)
{
    if (!f->is_bad && !js_set_index(f->js, f->list, f->n++, value)) f->is_bad = true;
}

static void add_name(Fields *f, usize *at)
{
    Str name = {0};
    if (!dns_read_name(f->message, f->arena, at, &name)) f->is_bad = true;
    add(f, js_str(f->js, name));
}

static void add_u16(Fields *f, usize *at)
{
    add(f, js_int(f->js, dns_read_u16(f->message, *at)));
    *at += 2;
}

/* A string with its length in front. */
static void add_string(Fields *f, usize *at, usize end)
{
    usize n = *at < end ? (u8)f->message.p[*at] : 0;
    if (*at >= end || *at + 1 + n > end) {
        f->is_bad = true;
        return;
    }
    add(f, js_str_latin1(f->js, (const u8 *)f->message.p + *at + 1, n));
    *at += 1 + n;
}

static void add_address(Fields *f, const DnsRecord *r)
{
    SysAddr addr;
    if (!dns_read_address(r, &addr)) {
        f->is_bad = true;
        return;
    }
    add(f, js_str(f->js, sys_addr_text(f->arena, &addr)));
}

static void add_soa(Fields *f, usize at)
{
    add_name(f, &at);
    add_name(f, &at);
    for (u32 i = 0; i < 5; i++, at += 4) add(f, js_number(f->js, dns_read_u32(f->message, at)));
}

static void add_naptr(Fields *f, usize at, usize end)
{
    add_u16(f, &at);
    add_u16(f, &at);
    for (u32 i = 0; i < 3; i++) add_string(f, &at, end);
    add_name(f, &at);
}

static void add_caa(Fields *f, const DnsRecord *r, usize at, usize end)
{
    if (r->data.n < 2) {
        f->is_bad = true;
        return;
    }
    add(f, js_int(f->js, (u8)r->data.p[0]));
    at++;
    add_string(f, &at, end);
    if (f->is_bad) return;
    add(f, js_str_latin1(f->js, (const u8 *)f->message.p + at, end - at));
}

static void add_tlsa(Fields *f, const DnsRecord *r)
{
    if (r->data.n < 3) {
        f->is_bad = true;
        return;
    }
    for (u32 i = 0; i < 3; i++) add(f, js_int(f->js, (u8)r->data.p[i]));
    add(f, js_array_buffer(f->js, r->data.p + 3, r->data.n - 3));
}

static void add_fields(Fields *f, const DnsRecord *r)
{
    usize at = r->data_at, end = at + r->data.n;
    switch (r->type) {
    case TYPE_A:
    case TYPE_AAAA: add_address(f, r); break;
    case TYPE_NS:
    case TYPE_CNAME:
    case TYPE_PTR: add_name(f, &at); break;
    case TYPE_MX:
        add_u16(f, &at);
        add_name(f, &at);
        break;
    case TYPE_SRV:
        for (u32 i = 0; i < 3; i++) add_u16(f, &at);
        add_name(f, &at);
        break;
    case TYPE_TXT:
        while (at < end && !f->is_bad) add_string(f, &at, end);
        break;
    case TYPE_SOA: add_soa(f, at); break;
    case TYPE_NAPTR: add_naptr(f, at, end); break;
    case TYPE_CAA: add_caa(f, r, at, end); break;
    case TYPE_TLSA: add_tlsa(f, r); break;
    default: break;
    }
}

/* [type, ttl, fields...] of every record that was asked for; NULL: malformed. */
static JsVal read_records(Js *js, Arena *a, Str message, int type)
{
    DnsReader reader;
    DnsRecord record;
    if (!dns_reader_init(&reader, message)) return NULL;
    JsVal list = js_array(js, NULL, 0);
    int rc = 1;
    for (u32 n = 0; (rc = dns_reader_next(&reader, a, &record)) > 0;) {
        if (type != 255 && record.type != type) continue;
        Fields f = {.js = js, .arena = a, .message = message, .list = js_array(js, NULL, 0)};
        add(&f, js_int(js, record.type));
        add(&f, js_number(js, record.ttl));
        add_fields(&f, &record);
        if (f.is_bad || !js_set_index(js, list, n++, f.list)) return NULL;
    }
    return rc < 0 ? NULL : list;
}

static JsVal read_names(Js *js, Str names)
{
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    for (usize at = 0; at < names.n && list;) {
        Str name = str_z(names.p + at);
        at += name.n + 1;
        if (!js_set_index(js, list, n++, js_str(js, name))) return NULL;
    }
    return list;
}

static void on_records(void *data, int status, Str message)
{
    Question *q = data;
    Js *js = q->vm->js;
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal value = JS_UNDEFINED;
    if (status == DNS_OK) {
        value =
            q->is_reverse ? read_names(js, message) : read_records(js, s.arena, message, q->type);
        if (!value && !js_is_pending(js)) {
            value = JS_UNDEFINED;
            status = 10; /* EBADRESP */
        }
    }
    answer(q, status == DNS_OK ? JS_NULL : js_str(js, str_z(dns_status_name(status))), value);
}

/* query(channel, name, type, callback) */
JS_NATIVE(dns_ask)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    DnsChannel *channel = channel_arg(js, args);
    if (!channel || !js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    Question *q = question_new(js, js_arg(args, 3));
    q->type = js_get_i32(js, js_arg(args, 2));
    dns_query(channel, name.p, 1, q->type, on_records, q);
    return JS_UNDEFINED;
}

/* reverse(channel, address, callback) -> false: no address. */
JS_NATIVE(dns_ask_reverse)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    SysAddr addr;
    DnsChannel *channel = channel_arg(js, args);
    if (!channel || !js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    if (sys_addr_parse(text, 0, &addr) < 0) return JS_FALSE;
    Question *q = question_new(js, js_arg(args, 2));
    q->is_reverse = true;
    dns_reverse(channel, &addr, on_records, q);
    return JS_TRUE;
}

static const JsFn fns[] = {
    JS_FN("lookup", dns_lookup),
    JS_FN("lookupService", dns_lookup_service),
    JS_FN("cacheStats", dns_cache_stats),
    JS_FN("channelNew", dns_channel_make),
    JS_FN("channelFree", dns_channel_drop),
    JS_FN("cancel", dns_channel_stop),
    JS_FN("setServers", dns_set_servers),
    JS_FN("servers", dns_servers),
    JS_FN("setLocal", dns_set_local),
    JS_FN("query", dns_ask),
    JS_FN("reverse", dns_ask_reverse),
};
BUILTIN_NATIVE(node_dns_binding, fns)
