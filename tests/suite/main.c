/* tests/suite/main.c -- see suite.h. */
#include "suite.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    Str use = str_z(argc > 1 ? argv[1] : NULL);
    if (str_eq(use, S("cli"))) return suite_cli(argc - 2, argv + 2);
    if (str_eq(use, S("js"))) return suite_js(argc - 2, argv + 2);
    if (str_eq(use, S("pty"))) return suite_pty(argc - 2, argv + 2);
    (void)fprintf(stderr, "usage: suite cli|js|pty ... (tests/suite/suite.h)\n");
    return 2;
}
