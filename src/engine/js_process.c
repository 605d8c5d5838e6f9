/* engine/js_process.c -- what is set up once for the process, before its first machine.
 *
 * The engine reads options from JSC_* environment variables, which child processes would inherit;
 * so they are set through its own parser, and the environment is the fallback (undone again
 * afterwards). */
#include "engine/js_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "engine/js_private.h"
#include "util/vec.h"

/* The engine stops its threads with a signal to look at their stacks.  Its default is SIGUSR1,
 * which programs may want for themselves; nothing in JavaScript can name a real-time signal. */
enum { GC_SIGNAL = 40 };

static const char *const options[] = {
    "useSharedArrayBuffer=1",
    "useExplicitResourceManagement=1",
    "useIteratorSequencing=1",
    "useShadowRealm=1",
    /* Frames of functions that return by a call stay in error.stack, as in Node. */
    "useTailCalls=0",
    "defaultErrorStackTraceLimit=10",
};

/* The engine's variables of an environment: it looks up some five hundred names, each of which
 * would be compared with every variable there is. */
static char **own_variables(Arena *a, char **all)
{
    Vec(char *) found = {0};
    for (char **at = all; at && *at; at++) {
        Str s = str_z(*at);
        if (str_starts(s, S("JSC_")) || str_starts(s, S("GIGACAGE_")) ||
            str_starts(s, S("Malloc"))) {
            vec_push(a, &found, *at);
        }
    }
    vec_push(a, &found, NULL);
    return found.at;
}

/* Runs a part of the engine's start with that environment. */
static void start_narrowly(void (*start)(void))
{
    AUTO(Arena) a = {0};
    char **all = environ;
    environ = own_variables(&a, all);
    start();
    environ = all;
}

/* BUN_JSC_name=value, as in Bun. */
static void set_options_of_user(void)
{
    for (char **at = environ; at && *at; at++) {
        if (str_starts(str_z(*at), S("BUN_JSC_")))
            (void)jsc_option_set(*at + strlen("BUN_JSC_"), false);
    }
}

static void set_options(void)
{
    if (jsc_options_init && jsc_option_set) {
        start_narrowly(jsc_options_init);
        for (u32 i = 0; i < COUNT(options); i++) (void)jsc_option_set(options[i], false);
        set_options_of_user();
        return;
    }
    for (u32 i = 0; i < COUNT(options); i++) {
        AUTO(Scratch) s = scratch_begin(NULL);
        Str name, value;
        (void)str_cut(str_z(options[i]), '=', &name, &value);
        Str variable = str_concat(s.arena, S("JSC_"), name);
        (void)setenv(str_dup_z(s.arena, variable), str_dup_z(s.arena, value), 0);
    }
}

void js_process_init(const JsOptions *js_options)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_done;
    (void)js_options;
    pthread_mutex_lock(&lock);
    if (!is_done) {
        is_done = true;
        if (JSConfigureSignalForGC) (void)JSConfigureSignalForGC(GC_SIGNAL);
        if (&pas_scavenger_is_enabled) pas_scavenger_is_enabled = false;
        set_options();
        if (jsc_init && jsc_main_run_loop_init) {
            start_narrowly(jsc_init);
            jsc_main_run_loop_init();
        }
    }
    pthread_mutex_unlock(&lock);
}
