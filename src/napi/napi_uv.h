/* napi/napi_uv.h -- the functions of libuv that add-ons for Node-API take from the executable.
 *
 * Threads, locks and clocks are those of POSIX under other names, and so are their structs.  Of the
 * loop there is what add-ons wake it with: work on the pool and bells.  A uv_loop_t is a block of
 * memory in which add-ons may use `data`; handles and requests are theirs, laid out as in
 * libuv 1.x. Source: libuv's documentation.  Results are 0 or -errno. */
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

#define UV_EXPORT __attribute__((visibility("default")))

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_work_s uv_work_t;
typedef pthread_t uv_thread_t;
typedef pthread_mutex_t uv_mutex_t;
typedef pthread_rwlock_t uv_rwlock_t;
typedef pthread_cond_t uv_cond_t;
typedef pthread_once_t uv_once_t;
typedef pthread_key_t uv_key_t;
typedef sem_t uv_sem_t;
typedef void (*uv_close_cb)(uv_handle_t *handle);
typedef void (*uv_async_cb)(uv_handle_t *handle);
typedef void (*uv_work_cb)(uv_work_t *req);
typedef void (*uv_after_work_cb)(uv_work_t *req, int status);

struct uv_handle_s {
    void *data;
    uv_loop_t *loop;
    int type;
    uv_close_cb close_cb;
    void *queue[2];
    void *reserved[4]; /* [0]: ours */
    uv_handle_t *next_closing;
    unsigned flags;
};

struct uv_work_s {
    void *data;
    int type;
    void *reserved[6]; /* [0]: ours */
    uv_loop_t *loop;
    uv_work_cb work_cb;
    uv_after_work_cb after_work_cb;
};

/* ---- The loop (napi_uv.c) ---- */

UV_EXPORT uv_loop_t *uv_default_loop(void);
UV_EXPORT int uv_queue_work(uv_loop_t *loop, uv_work_t *req, uv_work_cb work,
                            uv_after_work_cb after);
UV_EXPORT int uv_cancel(uv_work_t *req);
UV_EXPORT int uv_async_init(uv_loop_t *loop, uv_handle_t *async, uv_async_cb cb);
UV_EXPORT int uv_async_send(uv_handle_t *async);
UV_EXPORT void uv_close(uv_handle_t *handle, uv_close_cb cb);
UV_EXPORT void uv_ref(uv_handle_t *handle);
UV_EXPORT void uv_unref(uv_handle_t *handle);
UV_EXPORT int uv_has_ref(const uv_handle_t *handle);
UV_EXPORT int uv_is_active(const uv_handle_t *handle);
UV_EXPORT int uv_is_closing(const uv_handle_t *handle);
UV_EXPORT void *uv_handle_get_data(const uv_handle_t *handle);
UV_EXPORT void uv_handle_set_data(uv_handle_t *handle, void *data);
UV_EXPORT uv_loop_t *uv_handle_get_loop(const uv_handle_t *handle);
UV_EXPORT uint64_t uv_now(const uv_loop_t *loop);

/* ---- Threads, locks, clocks (napi_uv_thread.c) ---- */

UV_EXPORT int uv_thread_create(uv_thread_t *id, void (*entry)(void *arg), void *arg);
UV_EXPORT int uv_thread_join(uv_thread_t *id);
UV_EXPORT uv_thread_t uv_thread_self(void);
UV_EXPORT int uv_thread_equal(const uv_thread_t *a, const uv_thread_t *b);
UV_EXPORT int uv_mutex_init(uv_mutex_t *mutex);
UV_EXPORT int uv_mutex_init_recursive(uv_mutex_t *mutex);
UV_EXPORT void uv_mutex_destroy(uv_mutex_t *mutex);
UV_EXPORT void uv_mutex_lock(uv_mutex_t *mutex);
UV_EXPORT int uv_mutex_trylock(uv_mutex_t *mutex);
UV_EXPORT void uv_mutex_unlock(uv_mutex_t *mutex);
UV_EXPORT int uv_rwlock_init(uv_rwlock_t *lock);
UV_EXPORT void uv_rwlock_destroy(uv_rwlock_t *lock);
UV_EXPORT void uv_rwlock_rdlock(uv_rwlock_t *lock);
UV_EXPORT int uv_rwlock_tryrdlock(uv_rwlock_t *lock);
UV_EXPORT void uv_rwlock_rdunlock(uv_rwlock_t *lock);
UV_EXPORT void uv_rwlock_wrlock(uv_rwlock_t *lock);
UV_EXPORT int uv_rwlock_trywrlock(uv_rwlock_t *lock);
UV_EXPORT void uv_rwlock_wrunlock(uv_rwlock_t *lock);
UV_EXPORT int uv_sem_init(uv_sem_t *sem, unsigned value);
UV_EXPORT void uv_sem_destroy(uv_sem_t *sem);
UV_EXPORT void uv_sem_post(uv_sem_t *sem);
UV_EXPORT void uv_sem_wait(uv_sem_t *sem);
UV_EXPORT int uv_sem_trywait(uv_sem_t *sem);
UV_EXPORT int uv_cond_init(uv_cond_t *cond);
UV_EXPORT void uv_cond_destroy(uv_cond_t *cond);
UV_EXPORT void uv_cond_signal(uv_cond_t *cond);
UV_EXPORT void uv_cond_broadcast(uv_cond_t *cond);
UV_EXPORT void uv_cond_wait(uv_cond_t *cond, uv_mutex_t *mutex);
UV_EXPORT int uv_cond_timedwait(uv_cond_t *cond, uv_mutex_t *mutex, uint64_t timeout_ns);
UV_EXPORT void uv_once(uv_once_t *guard, void (*callback)(void));
UV_EXPORT int uv_key_create(uv_key_t *key);
UV_EXPORT void uv_key_delete(uv_key_t *key);
UV_EXPORT void *uv_key_get(uv_key_t *key);
UV_EXPORT void uv_key_set(uv_key_t *key, void *value);
UV_EXPORT uint64_t uv_hrtime(void);
UV_EXPORT void uv_sleep(unsigned ms);
UV_EXPORT int uv_os_getpid(void);
UV_EXPORT const char *uv_strerror(int err);
UV_EXPORT const char *uv_err_name(int err);
UV_EXPORT unsigned uv_version(void);
UV_EXPORT const char *uv_version_string(void);
