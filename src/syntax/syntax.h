/* syntax/syntax.h -- the front header: source text to what the engine runs
 * (docs/internals/syntax.md). */
#pragma once

#include "syntax/lower.h"
#include "syntax/parse.h"
#include "syntax/print.h"
#include "syntax/print_map.h"
#include "syntax/scope.h"
#include "syntax/strip.h"
