/* runtime/vm_inbox.c -- messages between threads. */
#include "runtime/vm_inbox.h"

#include "sys/sys.h"
#include "util/mem.h"

struct VmInbox {
    SysMutex lock;
    u32 n_refs;
    VmMessage *first, *last;
    u32 n_messages;
    bool is_closed, is_shut, is_woken;
    LoopMail *mail; /* of the loop that it is attached to */
    void (*on_ready)(void *data);
    void *data;
};

/* A wake-up under way: it counts only if the inbox is still attached to the same loop. */
typedef struct {
    VmInbox *box;
    LoopMail *mail;
} Wake;

VmMessage *vm_message_new(usize len, u32 n_ports)
{
    VmMessage *m = mem_new(sizeof(VmMessage) + len);
    m->len = len;
    m->n_ports = n_ports;
    if (n_ports) m->ports = mem_new(n_ports * sizeof(VmPortEnds));
    return m;
}

void vm_port_ends_close(VmPortEnds *ends)
{
    if (ends->out) vm_inbox_close_mt(ends->out);
    if (ends->in) vm_inbox_shut_mt(ends->in);
    vm_inbox_unref_mt(ends->out);
    vm_inbox_unref_mt(ends->in);
    *ends = (VmPortEnds){0};
}

void vm_message_free(VmMessage *m)
{
    if (!m) return;
    for (u32 i = 0; i < m->n_ports; i++) vm_port_ends_close(&m->ports[i]);
    mem_free(m->ports);
    mem_free(m);
}

VmInbox *vm_inbox_new(void)
{
    VmInbox *box = MEM_NEW(VmInbox);
    box->n_refs = 1;
    return box;
}

VmInbox *vm_inbox_ref_mt(VmInbox *box)
{
    (void)__atomic_add_fetch(&box->n_refs, 1, __ATOMIC_RELAXED);
    return box;
}

static void free_messages(VmMessage *m)
{
    while (m) {
        VmMessage *next = m->next;
        vm_message_free(m);
        m = next;
    }
}

VmInbox *vm_inbox_unref_mt(VmInbox *box)
{
    if (!box || __atomic_sub_fetch(&box->n_refs, 1, __ATOMIC_ACQ_REL)) return NULL;
    free_messages(box->first);
    (void)loop_mail_unref_mt(box->mail);
    mem_free(box);
    return NULL;
}

static void on_wake(void *data)
{
    Wake *wake = data;
    VmInbox *box = wake->box;
    sys_mutex_lock(&box->lock);
    bool is_ours = box->mail == wake->mail;
    if (is_ours) box->is_woken = false;
    sys_mutex_unlock(&box->lock);
    /* Attaching and detaching is this thread's business, too: nothing changes meanwhile. */
    if (is_ours) box->on_ready(box->data);
    (void)loop_mail_unref_mt(wake->mail);
    vm_inbox_unref_mt(box);
    mem_free(wake);
}

/* With the lock held. */
static void wake_reader(VmInbox *box)
{
    if (!box->mail || box->is_woken) return;
    Wake *wake = MEM_NEW(Wake);
    *wake = (Wake){.box = vm_inbox_ref_mt(box), .mail = box->mail};
    loop_mail_ref_mt(wake->mail);
    box->is_woken = true;
    if (loop_mail_post_mt(box->mail, on_wake, wake) == 0) return;
    /* The reader's loop has gone; the caller still holds the inbox. */
    (void)loop_mail_unref_mt(wake->mail);
    (void)__atomic_sub_fetch(&box->n_refs, 1, __ATOMIC_ACQ_REL);
    mem_free(wake);
}

int vm_inbox_post_mt(VmInbox *box, VmMessage *take)
{
    sys_mutex_lock(&box->lock);
    int rc = box->is_shut ? -EPIPE : box->n_messages >= VM_INBOX_MESSAGES_MAX ? -EAGAIN : 0;
    if (rc == 0) {
        take->next = NULL;
        if (box->last)
            box->last->next = take;
        else
            box->first = take;
        box->last = take;
        box->n_messages++;
        wake_reader(box);
    }
    sys_mutex_unlock(&box->lock);
    if (rc < 0) vm_message_free(take);
    return rc;
}

void vm_inbox_close_mt(VmInbox *box)
{
    sys_mutex_lock(&box->lock);
    box->is_closed = true;
    wake_reader(box);
    sys_mutex_unlock(&box->lock);
}

void vm_inbox_attach(VmInbox *box, Loop *loop, void (*on_ready)(void *data), void *data)
{
    sys_mutex_lock(&box->lock);
    ASSERT(!box->mail);
    box->mail = loop_mail(loop);
    box->on_ready = on_ready;
    box->data = data;
    box->is_woken = false;
    if (box->first || box->is_closed) wake_reader(box);
    sys_mutex_unlock(&box->lock);
}

void vm_inbox_detach(VmInbox *box)
{
    sys_mutex_lock(&box->lock);
    LoopMail *mail = box->mail;
    box->mail = NULL;
    box->on_ready = NULL;
    box->data = NULL;
    sys_mutex_unlock(&box->lock);
    (void)loop_mail_unref_mt(mail);
}

void vm_inbox_shut_mt(VmInbox *box)
{
    sys_mutex_lock(&box->lock);
    VmMessage *first = box->first;
    box->first = box->last = NULL;
    box->n_messages = 0;
    box->is_shut = true;
    sys_mutex_unlock(&box->lock);
    free_messages(first);
}

VmMessage *vm_inbox_take_mt(VmInbox *box, bool *ret_is_closed)
{
    sys_mutex_lock(&box->lock);
    VmMessage *m = box->first;
    if (m) {
        box->first = m->next;
        if (!box->first) box->last = NULL;
        box->n_messages--;
        m->next = NULL;
    }
    *ret_is_closed = !m && box->is_closed;
    sys_mutex_unlock(&box->lock);
    return m;
}
