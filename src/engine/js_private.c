/* engine/js_private.c -- is the engine library the one we know?
 *
 * Signatures of exported functions hardly ever change; offsets inside objects may.  They are used
 * only with the release series they were taken from, and after a look at real objects. */
#include "engine/js_private.h"

#include <pthread.h>
#include <sys/mman.h>

enum { KNOWN_MAJOR = 2, KNOWN_MINOR = 50 };

/* Offsets for js_private_class_name: of the structure heap's base in the engine's configuration,
 * and of the ClassInfo in a Structure; the class name is ClassInfo's first word. */
enum { CONFIG_STRUCTURE_BASE = 0x5e8, STRUCTURE_CLASS_INFO = 0x50 };

JscFacts jsc;

/* Only in an executable that contains the engine (tools/so2obj). */
extern const char jsc_image_start __attribute__((weak));

static JSValueRef make_sample(JSContextRef ctx, const char *text)
{
    JSStringRef ref = JSStringCreateWithUTF8CString(text);
    JSValueRef v = JSValueMakeString(ctx, ref);
    JSStringRelease(ref);
    return v;
}

/* Does a fresh string of the C API look as expected? */
static bool check_string(JSContextRef ctx)
{
    const u8 *cell = (const u8 *)make_sample(ctx, "key");
    if (cell[CELL_TYPE] != TYPE_STRING) return false;
    const JscStringImpl *impl = jsc_string_impl(cell);
    if (!impl || impl->len != 3) return false;
    return impl->hash_and_flags & STRING_IS_8BIT && ((const u8 *)impl->data)[1] == 'e';
}

static void probe(JSContextRef ctx)
{
    jsc.is_known_version = jsc_get_major_version && jsc_get_minor_version &&
                           jsc_get_major_version() == KNOWN_MAJOR &&
                           jsc_get_minor_version() == KNOWN_MINOR;
    const u8 *global = (const u8 *)JSContextGetGlobalObject(ctx);
    jsc.has_layout =
        jsc.is_known_version && check_string(ctx) && global[CELL_TYPE] >= TYPE_OBJECT_FIRST;
}

void js_private_probe(JSContextRef ctx)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_done;
    pthread_mutex_lock(&lock);
    if (!is_done) probe(ctx);
    is_done = true;
    pthread_mutex_unlock(&lock);
}

/* Through the table of the dynamic linker: taking the address directly would make the static linker
 * move the variable (with its page-sized alignment) into our own data. */
static const char *config_address(void)
{
    const char *p;
    __asm__(".weak g_config\n\tmovq g_config@GOTPCREL(%%rip), %0" : "=r"(p));
    return p;
}

const void *js_private_structure(const void *cell)
{
    const char *config = config_address();
    if (!jsc.has_layout || !config) return NULL;
    const char *base = *(const char *const *)(const void *)(config + CONFIG_STRUCTURE_BASE);
    return base + (*(const u32 *)cell & ~1u);
}

const uintptr_t *js_private_class_info(const void *cell)
{
    const char *structure = js_private_structure(cell);
    if (!structure) return NULL;
    return *(const uintptr_t *const *)(const void *)(structure + STRUCTURE_CLASS_INFO);
}

const char *js_private_class_name(const void *cell)
{
    const uintptr_t *info = js_private_class_info(cell);
    return info ? (const char *)info[0] : NULL;
}

bool js_make_writable(uintptr_t start, uintptr_t end)
{
    /* In the executable they are: the image's data stays writable (docs/internals/so2obj.md). */
    if (&jsc_image_start) return true;
    return mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) == 0;
}
