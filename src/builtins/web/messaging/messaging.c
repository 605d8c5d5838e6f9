/* web/messaging/messaging.c -- native half of web/messaging: ports.
 *
 * A Port reads one VmInbox and writes to another.  While it is open and has been started it is
 * attached to this thread's loop, and its wrapper is held. */
#include "builtins/web/messaging/messaging.h"
#include "sys/sys.h"
#include "util/mem.h"

#include <string.h>

enum { PORTS_MAX = 1024, NAME_MAX_LEN = 1 << 16 };

typedef struct Port {
    Vm *vm;
    VmPortEnds ends;
    JsRef self, on_ready;
    bool is_started, is_ref;
    struct Port *next_channel; /* of a BroadcastChannel: the list of all */
    char *name;
    usize name_len;
} Port;

/* All channels of the process; the inboxes are theirs. */
static struct {
    SysMutex lock;
    Port *first, *last; /* in the order of creation */
    u64 n_sent;
} channels;

static void leave_channels(Port *p)
{
    if (!p->name) return;
    sys_mutex_lock(&channels.lock);
    Port *before = NULL;
    for (Port **at = &channels.first; *at; before = *at, at = &(*at)->next_channel) {
        if (*at != p) continue;
        *at = p->next_channel;
        if (channels.last == p) channels.last = before;
        break;
    }
    sys_mutex_unlock(&channels.lock);
}

/* On any thread: a port that nobody can reach any more is closed. */
static void port_finalize(void *native)
{
    Port *p = native;
    /* One that was started is held until its machine ends. */
    if (p->is_started) vm_inbox_detach(p->ends.in);
    leave_channels(p);
    vm_port_ends_close(&p->ends);
    mem_free(p->name);
    mem_free(p);
}

static const JsClass port_class = {.name = "Port", .finalize = port_finalize};

static Port *port_of(Js *js, JsArgs args)
{
    return js_unwrap(js, js_arg(args, 0), &port_class);
}

JsVal web_messaging_wrap(Js *js, VmPortEnds ends)
{
    Port *p = MEM_NEW(Port);
    p->vm = vm_of(js);
    p->ends = ends;
    return js_wrap(js, &port_class, p);
}

/* pair() -> [port, port] */
JS_NATIVE(port_pair)
{
    VmInbox *a = vm_inbox_new(), *b = vm_inbox_new();
    VmPortEnds first = {a, b}, second = {vm_inbox_ref_mt(b), vm_inbox_ref_mt(a)};
    JsVal one = web_messaging_wrap(js, first), two = web_messaging_wrap(js, second);
    return js_array(js, (JsVal[]){one, two}, 2);
}

static void on_ready(void *data)
{
    Port *p = data;
    vm_call(p->vm, js_ref_get(p->vm->js, &p->on_ready), JS_NO_ARGS);
    /* The loop does not see what came by post as a callback of its own. */
    vm_after_callback(p->vm);
}

static void set_ref(Port *p, bool is_ref)
{
    if (p->is_ref == is_ref) return;
    p->is_ref = is_ref;
    if (is_ref)
        loop_ref(p->vm->loop);
    else
        loop_unref(p->vm->loop);
}

/* start(port, fn): fn is called when there is something to take. */
JS_NATIVE(port_start)
{
    Port *p = port_of(js, args);
    if (!p || !p->ends.in || p->is_started) return JS_UNDEFINED;
    p->is_started = true;
    js_ref_set_strong(js, &p->self, js_arg(args, 0));
    js_ref_set_strong(js, &p->on_ready, js_arg(args, 1));
    vm_inbox_attach(p->ends.in, p->vm->loop, on_ready, p);
    return JS_UNDEFINED;
}

static void stop(Js *js, Port *p)
{
    set_ref(p, false);
    if (p->is_started) vm_inbox_detach(p->ends.in);
    p->is_started = false;
    leave_channels(p);
    js_ref_clear(js, &p->on_ready);
    js_ref_clear(js, &p->self);
}

/* close(port): the peer hears of it. */
JS_NATIVE(port_close)
{
    Port *p = port_of(js, args);
    if (!p || !p->ends.in) return JS_UNDEFINED;
    stop(js, p);
    vm_port_ends_close(&p->ends);
    return JS_UNDEFINED;
}

JS_NATIVE(port_set_ref)
{
    Port *p = port_of(js, args);
    if (p && p->ends.in && p->is_started) set_ref(p, js_truthy(js, js_arg(args, 1)));
    return JS_UNDEFINED;
}

JS_NATIVE(port_has_ref)
{
    Port *p = port_of(js, args);
    return js_boolean(p && p->is_ref);
}

bool web_messaging_take(Js *js, JsVal port, VmPortEnds *ret)
{
    Port *p = js_unwrap(js, port, &port_class);
    if (!p || !p->ends.in) return false;
    stop(js, p);
    *ret = p->ends;
    p->ends = (VmPortEnds){0};
    return true;
}

/* Moves the ports of an array into the message.  false: one of them is closed. */
static bool take_ports(Js *js, JsVal list, VmMessage *m)
{
    for (u32 i = 0; i < m->n_ports; i++) {
        JsVal v = js_get_index(js, list, i);
        if (!v || !web_messaging_take(js, v, &m->ports[i])) return false;
    }
    return true;
}

static VmMessage *make_message(Js *js, JsVal data, JsVal ports)
{
    JsBytes bytes;
    u32 n_ports = 0;
    if (!js_take_bytes(js, data, &bytes)) return NULL;
    if (js_is_array(js, ports) && !js_array_len(js, ports, &n_ports)) return NULL;
    VmMessage *m = vm_message_new(bytes.n, MIN(n_ports, (u32)PORTS_MAX));
    memcpy(m->bytes, bytes.p, bytes.n);
    if (take_ports(js, ports, m)) return m;
    vm_message_free(m);
    return NULL;
}

/* post(port, bytes, ports) -> 0, or -errno; what is sent to a port that has gone is lost. */
JS_NATIVE(port_post)
{
    Port *p = port_of(js, args);
    VmMessage *m = make_message(js, js_arg(args, 1), js_arg(args, 2));
    if (!m) return js_int(js, -EBADF);
    if (p && p->ends.out) return js_int(js, vm_inbox_post_mt(p->ends.out, m));
    vm_message_free(m);
    return js_int(js, -EPIPE);
}

static void free_message(UNUSED void *p, void *data)
{
    vm_message_free(data);
}

/* take(port) -> [bytes, ports], null when there is nothing, undefined at the end */
JS_NATIVE(port_take)
{
    Port *p = port_of(js, args);
    bool is_closed = true;
    VmMessage *m = p && p->ends.in ? vm_inbox_take_mt(p->ends.in, &is_closed) : NULL;
    if (!m) return is_closed ? JS_UNDEFINED : JS_NULL;
    JsVal ports = JS_UNDEFINED;
    if (m->n_ports) ports = js_array(js, NULL, 0);
    for (u32 i = 0; i < m->n_ports; i++) {
        JsVal port = web_messaging_wrap(js, m->ports[i]);
        m->ports[i] = (VmPortEnds){0};
        if (!js_set_index(js, ports, i, port)) {
            vm_message_free(m);
            return NULL;
        }
    }
    JsVal bytes = m->len ? js_u8array_take(js, m->bytes, m->len, free_message, m) : JS_NULL;
    if (!m->len) vm_message_free(m);
    return js_array(js, (JsVal[]){bytes, ports}, 2);
}

/* ---- Broadcast */

/* channel(name) -> a port that reads what the others of that name send */
JS_NATIVE(port_channel)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    if (name.n > NAME_MAX_LEN) return js_throw_range_error(js, "The name is too long");
    JsVal self = web_messaging_wrap(js, (VmPortEnds){.in = vm_inbox_new()});
    Port *p = js_unwrap(js, self, &port_class);
    p->name = mem_dup(name.p, MAX(name.n, (usize)1));
    p->name_len = name.n;
    sys_mutex_lock(&channels.lock);
    if (channels.last)
        channels.last->next_channel = p;
    else
        channels.first = p;
    channels.last = p;
    sys_mutex_unlock(&channels.lock);
    return self;
}

/* broadcast(port, bytes): before them goes the number of the message (f64), by which the receivers
 * of one thread put them in order. */
JS_NATIVE(port_broadcast)
{
    Port *self = port_of(js, args);
    JsBytes bytes;
    if (!self || !self->ends.in || !js_bytes(js, js_arg(args, 1), &bytes)) return JS_UNDEFINED;
    Str name = {self->name, self->name_len};
    sys_mutex_lock(&channels.lock);
    f64 number = (f64)++channels.n_sent;
    for (Port *p = channels.first; p; p = p->next_channel) {
        if (p == self || !str_eq((Str){p->name, p->name_len}, name)) continue;
        VmMessage *m = vm_message_new(sizeof number + bytes.n, 0);
        memcpy(m->bytes, &number, sizeof number);
        memcpy(m->bytes + sizeof number, bytes.p, bytes.n);
        (void)vm_inbox_post_mt(p->ends.in, m);
    }
    sys_mutex_unlock(&channels.lock);
    return JS_UNDEFINED;
}

/* Memory and code on their way to another thread, by number: messages carry numbers, never
 * addresses.
 */
typedef struct Shared {
    struct Shared *next;
    void *contents;
    u64 id;
    bool is_code; /* of a WebAssembly.Module */
} Shared;

static struct {
    SysMutex lock;
    Shared *first;
    u64 id;
    u32 n;
} on_way;

enum { SHARED_MAX = 1 << 16 };

/* share(SharedArrayBuffer or WebAssembly.Module) -> number, for one claim(); 0 when that cannot be.
 */
JS_NATIVE(messaging_share)
{
    JsVal v = js_arg(args, 0);
    if (on_way.n >= SHARED_MAX) return js_number(js, 0);
    bool is_code = js_wasm_is(js, v);
    void *contents = is_code ? js_wasm_take(js, v) : js_shared_take(js, v);
    if (!contents) return js_number(js, 0);
    Shared *s = MEM_NEW(Shared);
    sys_mutex_lock(&on_way.lock);
    *s =
        (Shared){.next = on_way.first, .contents = contents, .id = ++on_way.id, .is_code = is_code};
    f64 id = (f64)s->id;
    on_way.first = s;
    on_way.n++;
    sys_mutex_unlock(&on_way.lock);
    return js_number(js, id);
}

/* claim(number, sample) -> an object of the sample's kind, or undefined when it is not there (any
 * more). */
JS_NATIVE(messaging_claim)
{
    f64 id = js_get_number(js, js_arg(args, 0));
    JsVal sample = js_arg(args, 1);
    bool is_code = js_wasm_is(js, sample);
    if (!is_code && !js_shared_is(js, sample)) return JS_UNDEFINED;
    Shared *found = NULL;
    sys_mutex_lock(&on_way.lock);
    for (Shared **at = &on_way.first; *at; at = &(*at)->next) {
        if ((f64)(*at)->id != id || (*at)->is_code != is_code) continue;
        found = *at;
        *at = found->next;
        on_way.n--;
        break;
    }
    sys_mutex_unlock(&on_way.lock);
    if (!found) return JS_UNDEFINED;
    void *contents = found->contents;
    mem_free(found);
    if (is_code) return js_wasm_make(js, contents, sample);
    return js_shared_make(js, contents, sample);
}

static const JsFn fns[] = {
    JS_FN("share", messaging_share),    JS_FN("claim", messaging_claim),
    JS_FN("pair", port_pair),           JS_FN("start", port_start),
    JS_FN("close", port_close),         JS_FN("setRef", port_set_ref),
    JS_FN("hasRef", port_has_ref),      JS_FN("post", port_post),
    JS_FN("take", port_take),           JS_FN("channel", port_channel),
    JS_FN("broadcast", port_broadcast),
};
BUILTIN_NATIVE(web_messaging, fns)
