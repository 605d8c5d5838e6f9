/* internal/test_runner/test_watch.h -- tests that do not come back: a thread that looks at the
 * clock while JavaScript runs. */
#pragma once

#include "engine/js.h"
#include "sys/sys.h"

typedef struct TestWatch {
    Js *js;
    SysMutex lock;
    u64 due_ns;               /* end of the call that runs; 0: none runs */
    bool is_interrupted;      /* that call was told to end */
    u64 loop_due_ns, loop_ms; /* when the loop should call us back at the latest, and after what */
    u64 progress_ns;          /* when a test last began, ended, or the loop turned */
    void (*on_stuck)(void *ctx); /* on the watching thread: ends the process */
    void *ctx;
    bool is_running;
} TestWatch;

/* Starts the thread; without it (no memory, an unknown engine) nothing is watched. */
void test_watch_start(TestWatch *w);
/* Around a call into JavaScript: it is interrupted some time after `ms` (0: never).  true: it was,
 * and nothing is pending. */
void test_watch_begin(TestWatch *w, f64 ms);
bool test_watch_end(TestWatch *w);
/* Something has happened. */
void test_watch_progress(TestWatch *w);
/* The loop is to call back after `ms`; below 0: no more. */
void test_watch_loop(TestWatch *w, f64 ms);
