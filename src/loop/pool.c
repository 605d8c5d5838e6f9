/* loop/pool.c -- threads for what would block: shared by all loops, started when there is work,
 * gone after LOOP_POOL_IDLE_MS without any. */
#include "loop/core.h"

enum { THREADS_DEFAULT = 4, THREADS_MAX = 1024, STACK_SIZE = 1024 * 1024 };

static struct {
    SysMutex lock;
    SysCond cond;
    OpQueue queue;
    u32 n_threads, n_idle, n_max;
} pool;

static u32 size_from_env(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    u64 n;
    bool has = sys_env_find(s.arena, S("COB_THREADPOOL_SIZE"), &text) ||
               sys_env_find(s.arena, S("UV_THREADPOOL_SIZE"), &text);
    if (!has || !str_to_u64(text, &n) || !n) return THREADS_DEFAULT;
    return (u32)MIN(n, (u64)THREADS_MAX);
}

/* Called and returns with the lock held.  NULL: this thread has idled long enough. */
static LoopOp *next_op(void)
{
    LoopOp *op;
    while (!(op = loop_queue_pop(&pool.queue))) {
        pool.n_idle++;
        bool is_called =
            sys_cond_wait_ns(&pool.cond, &pool.lock, (u64)LOOP_POOL_IDLE_MS * NS_PER_MS);
        pool.n_idle--;
        if (!is_called && !pool.queue.len) return NULL;
    }
    op->is_queued = false;
    return op;
}

static void pool_main(void *unused)
{
    (void)unused;
    sys_mutex_lock(&pool.lock);
    LoopOp *op;
    while ((op = next_op())) {
        sys_mutex_unlock(&pool.lock);
        /* The loop may be freed as soon as it has the result, while we are still in the mail. */
        LoopMail *mail = op->loop->mail;
        loop_mail_ref_mt(mail);
        op->res = loop_op_run(op);
        loop_mail_done_mt(mail, op);
        (void)loop_mail_unref_mt(mail);
        sys_mutex_lock(&pool.lock);
    }
    pool.n_threads--;
    sys_mutex_unlock(&pool.lock);
}

static int add_thread(void)
{
    SysThread t;
    int rc = sys_thread_start(&t, "cob-pool", STACK_SIZE, pool_main, NULL);
    if (rc < 0) return rc;
    sys_thread_detach(&t);
    pool.n_threads++;
    return 0;
}

int loop_pool_submit(LoopOp *op)
{
    sys_mutex_lock(&pool.lock);
    if (!pool.n_max) {
        /* The environment has its own lock. */
        pool.n_max = size_from_env();
    }
    int rc = pool.queue.len < LOOP_POOL_QUEUE_MAX ? 0 : -EAGAIN;
    if (rc == 0) {
        op->is_queued = true;
        loop_queue_push(&pool.queue, op);
        if (pool.queue.len > pool.n_idle && pool.n_threads < pool.n_max) rc = add_thread();
        /* Fewer threads than wished for will do. */
        if (rc < 0 && pool.n_threads) rc = 0;
        if (rc < 0) {
            loop_queue_del(&pool.queue, op);
            op->is_queued = false;
        }
    }
    sys_cond_signal(&pool.cond);
    sys_mutex_unlock(&pool.lock);
    return rc;
}

bool loop_pool_cancel(LoopOp *op)
{
    sys_mutex_lock(&pool.lock);
    bool is_ours = op->is_queued;
    if (is_ours) loop_queue_del(&pool.queue, op);
    op->is_queued = false;
    sys_mutex_unlock(&pool.lock);
    return is_ours;
}

void loop_pool_cancel_all(Loop *loop)
{
    OpQueue taken = {0};
    sys_mutex_lock(&pool.lock);
    LoopOp *next;
    for (LoopOp *op = pool.queue.first; op; op = next) {
        next = op->next;
        if (op->loop != loop) continue;
        loop_queue_del(&pool.queue, op);
        op->is_queued = false;
        loop_queue_push(&taken, op);
    }
    sys_mutex_unlock(&pool.lock);
    LoopOp *op;
    while ((op = loop_queue_pop(&taken))) loop_op_finish_later(op, -ECANCELED);
}
