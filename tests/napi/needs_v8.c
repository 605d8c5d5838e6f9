/* tests/napi/needs_v8.c -- an add-on that wants what is not there. */
#include "addon.h"

extern void *isolate(void) __asm__("_ZN2v87Isolate10GetCurrentEv");

FN(current)
{
    ARGS(0);
    return isolate() ? self : NULL;
}

ADDON(EXPORT(current))
