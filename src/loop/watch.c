/* loop/watch.c -- LoopWatch: changes of files and directories, over inotify. */
#include "loop/core.h"
void loop_watch_open(Loop *loop, LoopWatch *w)
{
    *w = (LoopWatch){0};
    loop_handle_open(loop, &w->handle, LOOP_WATCH);
}
bool loop_watch_shut(LoopHandle *h)
{
    (void)h;
    return true;
}
