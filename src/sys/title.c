/* sys/title.c -- the command line as ps shows it.
 *
 * The kernel reads it from the memory that held argv at start, so a new title is written over that;
 * sys_title_init moves argv away first. */
#include "sys/call.h"

#include "util/mem.h"

#include <sys/prctl.h>

static struct {
    SysMutex lock;
    char *area; /* argv[0] .. the NUL of the last argument */
    usize size;
    char *title; /* heap; NULL until it is set */
    char **argv; /* the copy */
} state;

char **sys_title_init(int argc, char **argv)
{
    ASSERT(!state.area);
    ASSERT(argc >= 0);
    char **copy = mem_new(((usize)argc + 1) * sizeof(char *));
    for (int i = 0; i < argc; i++) copy[i] = mem_dup(argv[i], strlen(argv[i]) + 1);
    if (!argc) return copy;
    /* Only what is contiguous, as the kernel laid it out. */
    char *end = argv[0];
    for (int i = 0; i < argc && argv[i] == end; i++) end += strlen(argv[i]) + 1;
    state.area = argv[0];
    state.size = (usize)(end - argv[0]);
    state.argv = copy;
    return copy;
}

int sys_title_set(Str title)
{
    if (!state.size) return -ENOBUFS;
    sys_mutex_lock(&state.lock);
    usize n = MIN(title.n, state.size - 1);
    if (n) memcpy(state.area, title.p, n);
    memset(state.area + n, 0, state.size - n);
    mem_free(state.title);
    state.title = mem_new(title.n + 1);
    if (title.n) memcpy(state.title, title.p, title.n);
    char name[16] = {0};
    memcpy(name, title.p, MIN(title.n, sizeof(name) - 1));
    /* Only the main thread's name is the process's. */
    if ((u64)sys_pid() == sys_thread_id()) (void)prctl(PR_SET_NAME, name);
    sys_mutex_unlock(&state.lock);
    return 0;
}

int sys_title_get(Arena *a, Str *ret)
{
    if (!state.size) return -ENOBUFS;
    sys_mutex_lock(&state.lock);
    *ret = str_dup(a, str_z(state.title ? state.title : state.argv[0]));
    sys_mutex_unlock(&state.lock);
    return 0;
}
