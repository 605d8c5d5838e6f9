/* engine/js_sanitize.c -- what AddressSanitizer has to know about the engine; empty in other
 * builds.
 *
 * The collector scans the native stack, so locals may not live elsewhere
 * (detect_stack_use_after_return); compiled WebAssembly handles SIGSEGV; and the engine keeps a few
 * strings for good. */
#ifdef __SANITIZE_ADDRESS__

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0:allow_user_segv_handler=1";
}

const char *__lsan_default_suppressions(void)
{
    return "leak:libjavascriptcoregtk\n";
}

#else
typedef int JsNoSanitizer; /* a translation unit may not be empty */
#endif
