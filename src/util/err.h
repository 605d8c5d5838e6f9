/* util/err.h -- names and texts of the error codes that functions return (-errno and our own). */
#pragma once

#include "util/base.h"

/* "ENOENT" of -2; "UNKNOWN" when there is no such code. */
const char *err_name(int rc);
/* "no such file or directory" of -2. */
const char *err_text(int rc);
