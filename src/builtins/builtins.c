/* builtins/builtins.c -- hands the generated table to the runtime. */
#include "builtins/builtins.h"

const VmBuiltins *builtins_get(void)
{
    static VmBuiltins all;
    all = (VmBuiltins){
        .entries = builtin_entries,
        .n_entries = builtin_count,
        .text = builtin_text,
        .codes = &builtin_codes,
        .natives = builtin_natives,
        .globals = builtin_globals,
        .n_globals = builtin_globals_count,
        .start_console = web_console_start,
    };
    return &all;
}
