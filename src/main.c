/* main.c -- hands argv to the command line; nothing else. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
