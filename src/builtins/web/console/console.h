/* builtins/web/console/console.h -- between the native files of web/console. */
#pragma once

#include "runtime/vm.h"

/* Is text for the descriptor (0 to 2) coloured: FORCE_COLOR, then NO_COLOR, then a terminal. Looked
 * up once. */
bool console_has_colors(Vm *vm, int fd);
/* Writes all of the text, errors dropped. */
void console_write(int fd, Str text);
