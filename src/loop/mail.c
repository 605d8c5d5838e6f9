/* loop/mail.c -- what reaches a loop from other threads: posted functions, pool results, bells.
 *
 * The mailbox outlives the loop for as long as somebody holds it.  The wake-up descriptor is
 * written only when the loop sleeps or is about to, so a busy loop costs its posters no system
 * call. */
#include "loop/core.h"

#include "util/mem.h"

#include <string.h>

enum { POSTS_KEPT_MAX = 4096 }; /* room that is kept between turns */

typedef struct {
    void (*fn)(void *data);
    void *data;
} Post;

typedef struct {
    Post *at;
    u32 len, cap;
} PostList;

struct LoopMail {
    SysMutex lock;
    u32 n_refs; /* atomic */
    int wake_fd;
    bool is_open, is_sleeping;
    PostList posts;
    OpQueue done;
    LoopAsync *rung_first, *rung_last;
    u32 n_rung;
    PostList spare; /* the loop's thread only: the other half of a double buffer */
};

LoopMail *loop_mail_new(void)
{
    LoopMail *m = MEM_NEW(LoopMail);
    m->n_refs = 1;
    m->wake_fd = -1;
    m->is_open = true;
    return m;
}

LoopMail *loop_mail(Loop *loop)
{
    loop_mail_ref_mt(loop->mail);
    return loop->mail;
}

void loop_mail_ref_mt(LoopMail *mail)
{
    (void)__atomic_add_fetch(&mail->n_refs, 1, __ATOMIC_RELAXED);
}

LoopMail *loop_mail_unref_mt(LoopMail *mail)
{
    if (!mail || __atomic_sub_fetch(&mail->n_refs, 1, __ATOMIC_ACQ_REL)) return NULL;
    mem_free(mail->posts.at);
    mem_free(mail->spare.at);
    mem_free(mail);
    return NULL;
}

void loop_mail_set_wake_fd(LoopMail *mail, int fd)
{
    sys_mutex_lock(&mail->lock);
    mail->wake_fd = fd;
    sys_mutex_unlock(&mail->lock);
}

/* With the lock held. */
static void wake(LoopMail *mail)
{
    if (!mail->is_sleeping) return;
    mail->is_sleeping = false;
    if (mail->wake_fd >= 0) (void)sys_eventfd_signal(mail->wake_fd);
}

static bool is_empty(const LoopMail *mail)
{
    return !mail->posts.len && !mail->done.len && !mail->n_rung;
}

bool loop_mail_sleep(LoopMail *mail)
{
    sys_mutex_lock(&mail->lock);
    bool ok = is_empty(mail);
    mail->is_sleeping = ok;
    sys_mutex_unlock(&mail->lock);
    return ok;
}

static void posts_push(PostList *l, Post post)
{
    if (l->len == l->cap) {
        l->cap = MAX(l->cap * 2, 16U);
        l->at = mem_resize(l->at, l->cap * sizeof(*l->at));
    }
    l->at[l->len++] = post;
}

int loop_mail_post_mt(LoopMail *mail, void (*fn)(void *data), void *data)
{
    ASSERT(fn);
    sys_mutex_lock(&mail->lock);
    int rc = !mail->is_open ? -ESHUTDOWN : mail->posts.len >= LOOP_POSTS_MAX ? -EAGAIN : 0;
    if (rc == 0) {
        posts_push(&mail->posts, (Post){fn, data});
        wake(mail);
    }
    sys_mutex_unlock(&mail->lock);
    return rc;
}

int loop_post_mt(Loop *loop, void (*fn)(void *data), void *data)
{
    return loop_mail_post_mt(loop->mail, fn, data);
}

void loop_mail_done_mt(LoopMail *mail, LoopOp *op)
{
    sys_mutex_lock(&mail->lock);
    loop_queue_push(&mail->done, op);
    wake(mail);
    sys_mutex_unlock(&mail->lock);
}

/* ---- Bells ---------------------------------------------------------------------------------- */

void loop_async_open(Loop *loop, LoopAsync *a, void (*on_async)(LoopAsync *a))
{
    ASSERT(on_async);
    *a = (LoopAsync){.on_async = on_async};
    loop_handle_open(loop, &a->handle, LOOP_ASYNC);
    loop_handle_set_active(&a->handle, true);
}

void loop_async_send_mt(LoopAsync *a)
{
    LoopMail *mail = a->handle.loop->mail;
    sys_mutex_lock(&mail->lock);
    if (!a->is_rung) {
        a->is_rung = true;
        a->next_rung = NULL;
        if (mail->rung_last)
            mail->rung_last->next_rung = a;
        else
            mail->rung_first = a;
        mail->rung_last = a;
        mail->n_rung++;
        wake(mail);
    }
    sys_mutex_unlock(&mail->lock);
}

static LoopAsync *pop_rung(LoopMail *mail)
{
    LoopAsync *a = mail->rung_first;
    if (!a) return NULL;
    mail->rung_first = a->next_rung;
    if (!mail->rung_first) mail->rung_last = NULL;
    mail->n_rung--;
    a->is_rung = false;
    return a;
}

bool loop_async_shut(LoopHandle *h)
{
    LoopAsync *gone = CONTAINER(LoopAsync, handle, h);
    LoopMail *mail = h->loop->mail;
    sys_mutex_lock(&mail->lock);
    u32 n = gone->is_rung ? mail->n_rung : 0;
    for (u32 i = 0; i < n; i++) {
        LoopAsync *a = pop_rung(mail);
        if (a == gone) continue;
        a->is_rung = true;
        a->next_rung = NULL;
        if (mail->rung_last)
            mail->rung_last->next_rung = a;
        else
            mail->rung_first = a;
        mail->rung_last = a;
        mail->n_rung++;
    }
    sys_mutex_unlock(&mail->lock);
    return true;
}

/* One at a time, since a callback may close another handle that is rung. */
static void run_rung(Loop *loop, LoopMail *mail, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        sys_mutex_lock(&mail->lock);
        LoopAsync *a = pop_rung(mail);
        sys_mutex_unlock(&mail->lock);
        if (!a) return;
        a->on_async(a);
        loop_after_callback(loop);
    }
}

/* ---- The loop's side ------------------------------------------------------------------------ */

static void run_mail(Loop *loop, LoopMail *mail)
{
    sys_mutex_lock(&mail->lock);
    mail->is_sleeping = false;
    u32 n_rung = mail->n_rung;
    OpQueue done = mail->done;
    mail->done = (OpQueue){0};
    PostList posts = mail->posts;
    mail->posts = mail->spare;
    mail->spare = (PostList){0};
    sys_mutex_unlock(&mail->lock);

    LoopOp *op;
    while ((op = loop_queue_pop(&done))) loop_op_complete(op, op->res, false);
    for (u32 i = 0; i < posts.len; i++) {
        posts.at[i].fn(posts.at[i].data);
        loop_after_callback(loop);
    }
    posts.len = 0;
    if (posts.cap > POSTS_KEPT_MAX || mail->spare.at)
        mem_free(posts.at);
    else
        mail->spare = posts;
    if (n_rung) run_rung(loop, mail, n_rung);
}

void loop_mail_run(Loop *loop)
{
    run_mail(loop, loop->mail);
}

void loop_mail_close(Loop *loop)
{
    LoopMail *mail = loop->mail;
    sys_mutex_lock(&mail->lock);
    mail->is_open = false;
    mail->wake_fd = -1;
    sys_mutex_unlock(&mail->lock);
    run_mail(loop, mail);
    loop->mail = loop_mail_unref_mt(mail);
}
