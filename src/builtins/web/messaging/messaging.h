/* web/messaging/messaging.h -- ports for those who start threads. */
#pragma once

#include "builtins/builtins.h"
#include "runtime/vm_inbox.h"

/* A new native port over `ends`, which are taken. */
JsVal web_messaging_wrap(Js *js, VmPortEnds ends);
/* Takes the ends out of a native port that is not started.  false: it is none, or closed. */
bool web_messaging_take(Js *js, JsVal port, VmPortEnds *ret);
