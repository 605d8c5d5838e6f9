/* engine/js_process.c -- what is set up once for the process, before its first machine.
 *
 * The engine reads options from JSC_* environment variables, which child processes would inherit;
 * so they are set through its own parser, and the environment is the fallback (undone again
 * afterwards). */
#include "engine/js_internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/js_private.h"
#include "util/vec.h"

/* The engine stops its threads with a signal to look at their stacks.  Its default is SIGUSR1,
 * which programs may want for themselves; nothing in JavaScript can name a real-time signal. */
enum { GC_SIGNAL = 40 };
/* As much as the engine asks for at once when its heap grows. */
enum { PROBE_SIZE = 64 << 20 };

static const char *const options[] = {
    "useSharedArrayBuffer=1",
    "useExplicitResourceManagement=1",
    "useIteratorSequencing=1",
    /* Frames of functions that return by a call stay in error.stack, as in Node. */
    "useTailCalls=0",
    "defaultErrorStackTraceLimit=10",
    /* Of short-lived objects 4 MB at most between two collections, not 8. */
    "maxEdenSizeForRateLimitingMultiplier=4",
};

/* --smol: a heap that grows in small steps, one marker thread, a JIT pool that is small. */
static const char *const smol_options[] = {
    "forceMiniVMMode=1",
    "numberOfGCMarkers=1",
    "jitMemoryReservationSize=67108864",
    "numberOfDFGCompilerThreads=1",
    "numberOfFTLCompilerThreads=1",
};

/* Where only one processor may be used, however many there are: a second marker would only have to
 * be waited for. */
static const char *const single_options[] = {"numberOfGCMarkers=1"};

static bool has_one_cpu(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1;
}

/* Tests: most functions run once, and the compilers' threads cost more than they save until a loop
 * has gone round twenty thousand times.  The first collections find nothing. */
static const char *const brief_options[] = {
    "thresholdForOptimizeAfterWarmUp=20000",
    "thresholdForOptimizeAfterLongWarmUp=20000",
    "thresholdForOptimizeSoon=10000",
    "thresholdForFTLOptimizeAfterWarmUp=500000",
    "smallHeapSize=33554432",
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

/* Without the engine's parser: the environment, until the first machine has read it. */
static bool is_environment_changed;

static void set_variable(const char *option)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name, value;
    (void)str_cut(str_z(option), '=', &name, &value);
    Str variable = str_concat(s.arena, S("JSC_"), name);
    (void)setenv(str_dup_z(s.arena, variable), str_dup_z(s.arena, value), 0);
    is_environment_changed = true;
}

static void unset_variable(const char *option)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name, value;
    (void)str_cut(str_z(option), '=', &name, &value);
    (void)unsetenv(str_dup_z(s.arena, str_concat(s.arena, S("JSC_"), name)));
}

static void for_each_option(bool is_smol, bool is_brief, void (*fn)(const char *option))
{
    for (u32 i = 0; i < COUNT(options); i++) fn(options[i]);
    bool is_single = has_one_cpu();
    for (u32 i = 0; is_single && i < COUNT(single_options); i++) fn(single_options[i]);
    for (u32 i = 0; is_smol && i < COUNT(smol_options); i++) fn(smol_options[i]);
    for (u32 i = 0; is_brief && i < COUNT(brief_options); i++) fn(brief_options[i]);
}

static void set_by_engine(const char *option)
{
    (void)jsc_option_set(option, false);
}

static void set_options(const JsOptions *o)
{
    bool is_brief = o->is_brief && !o->smol;
    if (jsc_options_init && jsc_option_set) {
        start_narrowly(jsc_options_init);
        for_each_option(o->smol, is_brief, set_by_engine);
        set_options_of_user();
    } else {
        for_each_option(o->smol, is_brief, set_variable);
    }
}

void js_process_clean(void)
{
    if (!is_environment_changed) return;
    is_environment_changed = false;
    for_each_option(true, true, unset_variable);
}

const char *js_crash_reason(void)
{
    /* The engine aborts without a word when it gets no memory; then we get none either. */
    void *p = mmap(NULL, PROBE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return "out of memory";
    (void)munmap(p, PROBE_SIZE);
    return NULL;
}

void js_process_init(const JsOptions *js_options)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_done;
    pthread_mutex_lock(&lock);
    if (!is_done) {
        is_done = true;
        if (JSConfigureSignalForGC) (void)JSConfigureSignalForGC(GC_SIGNAL);
        if (&pas_scavenger_is_enabled) pas_scavenger_is_enabled = false;
        js_async_edit_text();
        set_options(js_options);
        if (jsc_init && jsc_main_run_loop_init) {
            start_narrowly(jsc_init);
            jsc_main_run_loop_init();
        }
    }
    pthread_mutex_unlock(&lock);
}
