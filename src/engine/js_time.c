/* engine/js_time.c -- the time zone of Date and Intl. */
#include "engine/js_internal.h"
#include "engine/js_private.h"

/* WTF::StringView: characters, then length and "is 8 bit" in one word. */
typedef struct {
    const void *p;
    u32 len;
    bool is_8bit;
} StringView;

/* WTF::setTimeZoneOverride: false when it knows no such zone; an empty one ends the override. */
extern bool jsc_time_zone_set(StringView zone)
    JSC_SYMBOL("_ZN3WTF19setTimeZoneOverrideENS_10StringViewE");

/* Only in an executable that contains the engine (tools/so2obj/jsc_support.c). */
extern void jsc_time_zone_changed(void) __attribute__((weak));

bool js_set_time_zone(Str zone)
{
    if (!jsc_time_zone_set || zone.n > UINT32_MAX) return false;
    bool ok = jsc_time_zone_set((StringView){.p = zone.p, .len = (u32)zone.n, .is_8bit = true});
    if (jsc_time_zone_changed) jsc_time_zone_changed();
    return ok;
}
