/* runtime/vm_inbox.h -- messages between threads.
 *
 * A VmInbox is a queue that any thread posts to and one takes from: the one whose loop it is
 * attached to.  All functions in _mt, and posting to an inbox that nobody reads any more, are fine
 * at any time.  A message is bytes and inboxes that travel with them (ports). */
#pragma once

#include "loop/loop.h"
#include "util/base.h"

enum { VM_INBOX_MESSAGES_MAX = 1 << 20 }; /* waiting; more are refused with -EAGAIN */

typedef struct VmInbox VmInbox;

/* A port on its way: what it reads and where it writes to; each is counted. */
typedef struct {
    VmInbox *in, *out;
} VmPortEnds;

typedef struct VmMessage VmMessage;
struct VmMessage {
    VmMessage *next;
    VmPortEnds *ports; /* on the heap */
    u32 n_ports;
    usize len;
    u8 bytes[];
};
VmMessage *vm_message_new(usize len, u32 n_ports);
/* With the ports that nobody has taken (they close). */
void vm_message_free(VmMessage *m);

VmInbox *vm_inbox_new(void);
VmInbox *vm_inbox_ref_mt(VmInbox *box);
VmInbox *vm_inbox_unref_mt(VmInbox *box);
/* Takes the message.  0, -EPIPE when the reader has gone, -EAGAIN when it has too many. */
int vm_inbox_post_mt(VmInbox *box, VmMessage *take);
/* Nobody will post any more: once what is there was taken, vm_inbox_take says so. */
void vm_inbox_close_mt(VmInbox *box);
/* `on_ready(data)` runs on the loop's thread when there are messages or the end. */
void vm_inbox_attach(VmInbox *box, Loop *loop, void (*on_ready)(void *data), void *data);
/* No call comes any more.  On the loop's thread. */
void vm_inbox_detach(VmInbox *box);
/* Throws away what waits and refuses what comes. */
void vm_inbox_shut_mt(VmInbox *box);
/* The next message, the caller's, or NULL; *ret_is_closed: and none will come. */
VmMessage *vm_inbox_take_mt(VmInbox *box, bool *ret_is_closed);
/* Lets go of both ends of a port: the peer hears of the end. */
void vm_port_ends_close(VmPortEnds *ends);
