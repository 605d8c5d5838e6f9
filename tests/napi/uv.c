/* tests/napi/uv.c -- what there is of libuv. */
#include "addon.h"

#include "napi/napi_uv.h"

typedef struct {
    uv_handle_t handle;
    void *callback; /* where libuv has it */
    napi_env env;
    napi_ref fn;
    uv_thread_t thread;
    int n_rings;
} Bell;

static void call(napi_env env, napi_ref fn, double n)
{
    napi_handle_scope scope;
    napi_value undefined, v, f;
    napi_open_handle_scope(env, &scope);
    napi_get_undefined(env, &undefined);
    napi_get_reference_value(env, fn, &f);
    v = number(env, n);
    napi_make_callback(env, NULL, f, f, 1, &v, NULL);
    napi_close_handle_scope(env, scope);
}

static void on_closed(uv_handle_t *handle)
{
    Bell *b = (Bell *)(void *)handle;
    call(b->env, b->fn, -1);
    napi_delete_reference(b->env, b->fn);
    free(b);
}

static void on_rung(uv_handle_t *handle)
{
    Bell *b = (Bell *)(void *)handle;
    b->n_rings++;
    call(b->env, b->fn, uv_handle_get_data(handle) == b);
    if (uv_thread_join(&b->thread) == 0) uv_close(handle, on_closed);
}

static void ring(void *p)
{
    uv_sleep(1);
    uv_async_send(p);
}

FN(bell)
{
    ARGS(1);
    uv_loop_t *loop;
    napi_ref fn;
    OK(napi_get_uv_event_loop(env, &loop));
    OK(napi_create_reference(env, arg[0], 1, &fn));
    Bell *b = calloc(1, sizeof(*b));
    b->env = env;
    b->fn = fn;
    if (uv_async_init(loop, &b->handle, on_rung)) return NULL;
    uv_handle_set_data(&b->handle, b);
    uv_unref(&b->handle);
    bool had = uv_has_ref(&b->handle);
    uv_ref(&b->handle);
    if (uv_thread_create(&b->thread, ring, b)) return NULL;
    return boolean(env, !had && uv_has_ref(&b->handle) && uv_is_active(&b->handle) &&
                            !uv_is_closing(&b->handle) && uv_handle_get_loop(&b->handle) == loop &&
                            loop == uv_default_loop());
}

typedef struct {
    uv_work_t work;
    napi_env env;
    napi_ref fn;
    uv_thread_t thread;
} Work;

static void execute(uv_work_t *req)
{
    ((Work *)(void *)req)->thread = uv_thread_self();
}

static void after(uv_work_t *req, int status)
{
    Work *w = (Work *)(void *)req;
    uv_thread_t self = uv_thread_self();
    call(w->env, w->fn, status + 10 * uv_thread_equal(&self, &w->thread));
    napi_delete_reference(w->env, w->fn);
    free(w);
}

FN(work)
{
    ARGS(1);
    uv_loop_t *loop;
    napi_ref fn;
    OK(napi_get_uv_event_loop(env, &loop));
    OK(napi_create_reference(env, arg[0], 1, &fn));
    Work *w = calloc(1, sizeof(*w));
    w->env = env;
    w->fn = fn;
    return number(env, uv_queue_work(loop, &w->work, execute, after));
}

static uv_mutex_t mutex;
static uv_cond_t cond;
static uv_sem_t sem;
static uv_key_t key;
static uv_once_t once = PTHREAD_ONCE_INIT;
static int n_once, total;

static void count_once(void)
{
    n_once++;
}

static void add(void *p)
{
    uv_once(&once, count_once);
    uv_key_set(&key, p);
    for (int i = 0; i < 1000; i++) {
        uv_mutex_lock(&mutex);
        total++;
        uv_mutex_unlock(&mutex);
    }
    if (uv_key_get(&key) == p) uv_sem_post(&sem);
    uv_mutex_lock(&mutex);
    uv_cond_signal(&cond);
    uv_mutex_unlock(&mutex);
}

FN(threads)
{
    ARGS(0);
    uv_thread_t id[4];
    uv_rwlock_t rw;
    bool ok = !uv_mutex_init(&mutex) && !uv_cond_init(&cond) && !uv_sem_init(&sem, 0) &&
              !uv_key_create(&key) && !uv_rwlock_init(&rw);
    for (int i = 0; i < 4; i++) ok = ok && !uv_thread_create(&id[i], add, &id[i]);
    for (int i = 0; i < 4; i++) uv_sem_wait(&sem);
    for (int i = 0; i < 4; i++) ok = ok && !uv_thread_join(&id[i]);
    ok =
        ok && uv_sem_trywait(&sem) < 0 && !uv_mutex_trylock(&mutex) && uv_mutex_trylock(&mutex) < 0;
    uint64_t before = uv_hrtime();
    ok = ok && uv_cond_timedwait(&cond, &mutex, 1000000) < 0 && uv_hrtime() - before >= 1000000;
    uv_mutex_unlock(&mutex);
    uv_rwlock_rdlock(&rw);
    ok = ok && !uv_rwlock_tryrdlock(&rw) && uv_rwlock_trywrlock(&rw) < 0;
    uv_rwlock_rdunlock(&rw);
    uv_rwlock_rdunlock(&rw);
    uv_rwlock_wrlock(&rw);
    uv_rwlock_wrunlock(&rw);
    uv_mutex_destroy(&mutex);
    ok = ok && !uv_mutex_init_recursive(&mutex);
    uv_mutex_lock(&mutex);
    ok = ok && !uv_mutex_trylock(&mutex);
    uv_mutex_unlock(&mutex);
    uv_mutex_unlock(&mutex);
    uv_cond_broadcast(&cond);
    uv_rwlock_destroy(&rw);
    uv_cond_destroy(&cond);
    uv_sem_destroy(&sem);
    uv_mutex_destroy(&mutex);
    uv_key_delete(&key);
    return boolean(env, ok && n_once == 1 && total == 4000 && uv_version() >> 16 == 1 &&
                            !strcmp(uv_err_name(-2), "ENOENT") && uv_os_getpid() > 0 &&
                            strlen(uv_strerror(-2)) && strlen(uv_version_string()));
}

ADDON(EXPORT(bell), EXPORT(work), EXPORT(threads))
