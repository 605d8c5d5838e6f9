/* codec/encoding_index.c -- the tables of the legacy encodings, out of ICU's converters.
 *
 * A table is made when it is first asked for and kept for the life of the process (the largest has
 * 160 KB); two threads may both make one, the second to finish throws its own away.  Each table was
 * compared with the indexes of the Encoding Standard; the corrections below are all the
 * differences. */
#include "codec/encoding_decoders.h"

#include <string.h>

#include <unicode/ucnv.h>

#include "util/mem.h"

typedef struct {
    u16 pointer, code_point, n; /* `n` pointers in a row, code points in a row; 0 removes */
} Patch;

static const Patch gb18030_patches[] = {
    {6555, 0x3000, 1},  {7182, 0xfe10, 1},  {7183, 0xfe12, 1},  {7184, 0xfe11, 1},
    {7185, 0xfe13, 4},  {7201, 0xfe17, 2},  {7208, 0xfe19, 1},  {23775, 0x9fb4, 1},
    {23783, 0x9fb5, 1}, {23788, 0x9fb6, 2}, {23795, 0x9fb8, 1}, {23812, 0x9fb9, 1},
    {23829, 0x9fba, 1}, {23845, 0x9fbb, 1},
};

static const Patch jis0212_patches[] = {{7708, 0, 20}, {7730, 0, 1}};

static const Patch big5_patches[] = {
    {1008, 0x9f97, 1},  {1016, 0x9f96, 1},  {1099, 0x31c0, 5},  {1105, 0x31c5, 1},
    {1108, 0x31c6, 2},  {1112, 0x31c8, 1},  {1114, 0x31c9, 4},  {1119, 0x31cd, 2},
    {1170, 0x23da, 2},  {1730, 0x9fa6, 1},  {1772, 0x9fa7, 1},  {1779, 0x9fa8, 1},
    {1812, 0x9fa9, 1},  {1814, 0x9faa, 1},  {1816, 0x9fab, 1},  {1821, 0x9fac, 1},
    {1844, 0x9fad, 2},  {1847, 0x9faf, 1},  {1866, 0x9fb2, 1},  {1892, 0x9fb3, 1},
    {2082, 0x7bb8, 1},  {2088, 0x7c06, 1},  {2103, 0x7cce, 1},  {2114, 0x7dd2, 1},
    {2123, 0x7e1d, 1},  {2148, 0x8005, 1},  {2151, 0x8028, 1},  {2221, 0x83c1, 1},
    {2239, 0x84a8, 1},  {2244, 0x840f, 1},  {2303, 0x89a6, 1},  {2304, 0x89a9, 1},
    {2354, 0x8d77, 1},  {2400, 0x90fd, 1},  {2413, 0x92b9, 1},  {2477, 0x975c, 1},
    {2498, 0x97ff, 1},  {2605, 0x9f16, 1},  {2673, 0x8503, 1},  {2746, 0x5159, 1},
    {2747, 0x515b, 1},  {2748, 0x515d, 2},  {2771, 0x936e, 1},  {2780, 0x7479, 1},
    {2990, 0x6d67, 1},  {3087, 0x799b, 1},  {3259, 0x9097, 1},  {3301, 0x975d, 1},
    {3436, 0x701e, 1},  {3451, 0x5b28, 1},  {4136, 0x7201, 1},  {4138, 0x77d7, 1},
    {4141, 0x7e87, 1},  {4182, 0x99d6, 1},  {4206, 0x91d4, 1},  {4220, 0x60de, 1},
    {4230, 0x6fb6, 1},  {4241, 0x8f36, 1},  {4258, 0x4fbb, 1},  {4273, 0x71df, 1},
    {4279, 0x9104, 1},  {4282, 0x9df0, 1},  {4294, 0x83cf, 1},  {4329, 0x5c10, 1},
    {4330, 0x79e3, 1},  {4349, 0x5a67, 1},  {4419, 0x8f0b, 1},  {4422, 0x7b51, 1},
    {4494, 0x62d0, 1},  {4624, 0x6062, 1},  {4694, 0x75f9, 1},  {4708, 0x6c4a, 1},
    {4742, 0x9b2e, 1},  {4748, 0x9f17, 1},  {4815, 0x50ed, 1},  {4828, 0x5f0c, 1},
    {4902, 0x880f, 1},  {4922, 0x62ce, 1},  {4982, 0x7468, 1},  {4992, 0x7162, 1},
    {4997, 0x7250, 1},  {5432, 0x2400, 32}, {5464, 0x2421, 1},  {10942, 0x5ef4, 1},
    {10946, 0x65e0, 1}, {10948, 0x7676, 1}, {10950, 0x96b6, 1}, {10957, 0x3003, 1},
    {10958, 0x4edd, 1}, {11204, 0x31cf, 1}, {11210, 0x9fb0, 1}, {11212, 0x9fb1, 1},
    {19028, 0x5029, 1}, {19035, 0x507d, 1}, {19088, 0x5305, 1}, {19096, 0x5344, 1},
    {19112, 0x537f, 1}, {19162, 0x5605, 1}, {19240, 0x5a77, 1}, {19299, 0x5e75, 1},
    {19305, 0x5ed0, 1}, {19326, 0x5f58, 1}, {19355, 0x60a4, 1}, {19398, 0x6490, 1},
    {19439, 0x6674, 1}, {19454, 0x675e, 1}, {19553, 0x6c9c, 1}, {19554, 0x6e1d, 1},
    {19557, 0x6e2f, 1}, {19611, 0x716e, 1}, {19643, 0x732a, 1}, {19672, 0x745c, 1},
    {19697, 0x74e9, 1}, {19748, 0x7809, 1},
};

/* The bytes of a pointer; returns their number. */
typedef u32 BytesFn(u32 pointer, char bytes[4]);

static u32 bytes_gb18030(u32 pointer, char bytes[4])
{
    u32 trail = pointer % 190;
    bytes[0] = (char)(pointer / 190 + 0x81);
    bytes[1] = (char)(trail + (trail < 0x3f ? 0x40 : 0x41));
    return 2;
}

static u32 bytes_gb18030_four(u32 pointer, char bytes[4])
{
    bytes[3] = (char)(pointer % 10 + 0x30);
    bytes[2] = (char)(pointer / 10 % 126 + 0x81);
    bytes[1] = (char)(pointer / 1260 % 10 + 0x30);
    bytes[0] = (char)(pointer / 12600 + 0x81);
    return 4;
}

static u32 bytes_big5(u32 pointer, char bytes[4])
{
    u32 trail = pointer % 157;
    bytes[0] = (char)(pointer / 157 + 0x81);
    bytes[1] = (char)(trail + (trail < 0x3f ? 0x40 : 0x62));
    return 2;
}

/* As Shift_JIS: EUC-JP cannot express all of the index. */
static u32 bytes_jis0208(u32 pointer, char bytes[4])
{
    u32 lead = pointer / 188, trail = pointer % 188;
    bytes[0] = (char)(lead + (lead < 0x1f ? 0x81 : 0xc1));
    bytes[1] = (char)(trail + (trail < 0x3f ? 0x40 : 0x41));
    return 2;
}

static u32 bytes_jis0212(u32 pointer, char bytes[4])
{
    bytes[0] = (char)0x8f;
    bytes[1] = (char)(pointer / 94 + 0xa1);
    bytes[2] = (char)(pointer % 94 + 0xa1);
    return 3;
}

static u32 bytes_euc_kr(u32 pointer, char bytes[4])
{
    bytes[0] = (char)(pointer / 190 + 0x81);
    bytes[1] = (char)(pointer % 190 + 0x41);
    return 2;
}

typedef struct {
    const char *converter;
    BytesFn *bytes;
    u32 len;
    bool drop_private; /* ICU maps unassigned pointers to private-use characters */
    const Patch *patches;
    u32 n_patches;
} IndexSource;

static const IndexSource sources[ENCODING_INDEX_COUNT] = {
    [ENCODING_INDEX_GB18030] = {"gb18030", bytes_gb18030, 23940, false, gb18030_patches,
                                COUNT(gb18030_patches)},
    [ENCODING_INDEX_GB18030_FOUR] = {"gb18030", bytes_gb18030_four, 39420, false, NULL, 0},
    [ENCODING_INDEX_BIG5] = {"ibm-1375_P100-2008", bytes_big5, 19782, true, big5_patches,
                             COUNT(big5_patches)},
    [ENCODING_INDEX_JIS0208] = {"ibm-943_P15A-2003", bytes_jis0208, 11280, true, NULL, 0},
    [ENCODING_INDEX_JIS0212] = {"euc-jp", bytes_jis0212, 8836, false, jis0212_patches,
                                COUNT(jis0212_patches)},
    [ENCODING_INDEX_EUC_KR] = {"windows-949-2000", bytes_euc_kr, 23940, true, NULL, 0},
};

static UConverter *open_converter(const char *name)
{
    UErrorCode err = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(name, &err);
    if (U_FAILURE(err)) return NULL;
    ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &err);
    if (U_SUCCESS(err)) return converter;
    ucnv_close(converter);
    return NULL;
}

/* The one character that the bytes stand for, or 0. */
static u32 convert_one(UConverter *converter, const char *bytes, u32 n)
{
    UChar units[8];
    UErrorCode err = U_ZERO_ERROR;
    ucnv_reset(converter);
    i32 len = ucnv_toUChars(converter, units, COUNT(units), bytes, (i32)n, &err);
    if (U_FAILURE(err) || len < 1 || len > 2) return 0;
    if (len == 1) return units[0];
    if ((units[0] & 0xfc00) != 0xd800) return 0;
    return 0x10000 + ((u32)(units[0] & 0x3ff) << 10) + (units[1] & 0x3ff);
}

static bool is_private(u32 c)
{
    return c >= 0xe000 && c < 0xf900;
}

static u32 *load_index(const IndexSource *source)
{
    u32 *index = mem_new(source->len * sizeof(u32));
    UConverter *converter = open_converter(source->converter);
    if (!converter) return index;
    for (u32 pointer = 0; pointer < source->len; pointer++) {
        char bytes[4];
        u32 n = source->bytes(pointer, bytes);
        u32 c = convert_one(converter, bytes, n);
        index[pointer] = source->drop_private && is_private(c) ? 0 : c;
    }
    ucnv_close(converter);
    for (u32 i = 0; i < source->n_patches; i++) {
        const Patch *patch = &source->patches[i];
        for (u32 k = 0; k < patch->n; k++) {
            index[patch->pointer + k] = patch->code_point ? patch->code_point + k : 0;
        }
    }
    return index;
}

/* Publishes a table unless another thread was faster; returns the one that counts. */
static void *publish(void **slot, void *made)
{
    void *other = NULL;
    if (__atomic_compare_exchange_n(slot, &other, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        return made;
    }
    mem_free(made);
    return other;
}

u32 encoding_index_get(EncodingIndexId id, u32 pointer)
{
    static void *tables[ENCODING_INDEX_COUNT];
    const u32 *index = __atomic_load_n(&tables[id], __ATOMIC_ACQUIRE);
    if (pointer >= sources[id].len) return 0;
    if (!index) index = publish(&tables[id], load_index(&sources[id]));
    return index[pointer];
}

/* ---- Single-byte encodings
 * ------------------------------------------------------------------------ */

/* ICU's converter of each; ISO-8859-16 has none. */
static const char *const single_names[ENCODING_COUNT] = {
    [ENCODING_IBM866] = "ibm-866_P100-1995",
    [ENCODING_ISO_8859_2] = "iso-8859-2",
    [ENCODING_ISO_8859_3] = "iso-8859-3",
    [ENCODING_ISO_8859_4] = "iso-8859-4",
    [ENCODING_ISO_8859_5] = "iso-8859-5",
    [ENCODING_ISO_8859_6] = "iso-8859-6",
    [ENCODING_ISO_8859_7] = "iso-8859-7",
    [ENCODING_ISO_8859_8] = "iso-8859-8",
    [ENCODING_ISO_8859_8_I] = "iso-8859-8",
    [ENCODING_ISO_8859_10] = "iso-8859-10",
    [ENCODING_ISO_8859_13] = "iso-8859-13",
    [ENCODING_ISO_8859_14] = "iso-8859-14",
    [ENCODING_ISO_8859_15] = "iso-8859-15",
    [ENCODING_KOI8_R] = "koi8-r",
    [ENCODING_KOI8_U] = "koi8-u",
    [ENCODING_MACINTOSH] = "macos-0_2-10.2",
    [ENCODING_WINDOWS_874] = "windows-874-2000",
    [ENCODING_WINDOWS_1250] = "windows-1250",
    [ENCODING_WINDOWS_1251] = "windows-1251",
    [ENCODING_WINDOWS_1252] = "windows-1252",
    [ENCODING_WINDOWS_1253] = "windows-1253",
    [ENCODING_WINDOWS_1254] = "windows-1254",
    [ENCODING_WINDOWS_1255] = "windows-1255",
    [ENCODING_WINDOWS_1256] = "windows-1256",
    [ENCODING_WINDOWS_1257] = "windows-1257",
    [ENCODING_WINDOWS_1258] = "windows-1258",
    [ENCODING_X_MAC_CYRILLIC] = "macos-7_3-10.2",
};

static const struct {
    u8 id, byte;
    u16 code_point;
} single_patches[] = {
    {ENCODING_KOI8_U, 0xae, 0x45e},
    {ENCODING_KOI8_U, 0xbe, 0x40e},
    {ENCODING_WINDOWS_1253, 0xaa, 0},
    {ENCODING_WINDOWS_1255, 0xca, 0x5ba},
};

/* Where ISO-8859-16 differs from Latin-1. */
static const struct {
    u8 byte;
    u16 code_point;
} latin10[] = {
    {0xa1, 0x104}, {0xa2, 0x105}, {0xa3, 0x141},  {0xa4, 0x20ac}, {0xa5, 0x201e}, {0xa6, 0x160},
    {0xa8, 0x161}, {0xaa, 0x218}, {0xac, 0x179},  {0xae, 0x17a},  {0xaf, 0x17b},  {0xb2, 0x10c},
    {0xb3, 0x142}, {0xb4, 0x17d}, {0xb5, 0x201d}, {0xb8, 0x17e},  {0xb9, 0x10d},  {0xba, 0x219},
    {0xbc, 0x152}, {0xbd, 0x153}, {0xbe, 0x178},  {0xbf, 0x17c},  {0xc3, 0x102},  {0xc5, 0x106},
    {0xd0, 0x110}, {0xd1, 0x143}, {0xd5, 0x150},  {0xd7, 0x15a},  {0xd8, 0x170},  {0xdd, 0x118},
    {0xde, 0x21a}, {0xe3, 0x103}, {0xe5, 0x107},  {0xf0, 0x111},  {0xf1, 0x144},  {0xf5, 0x151},
    {0xf7, 0x15b}, {0xf8, 0x171}, {0xfd, 0x119},  {0xfe, 0x21b},
};

static u16 *load_latin10(u16 *table)
{
    for (u32 i = 0; i < 128; i++) table[i] = (u16)(128 + i);
    for (u32 i = 0; i < COUNT(latin10); i++) table[latin10[i].byte - 128] = latin10[i].code_point;
    return table;
}

static u16 *load_single(EncodingId id)
{
    u16 *table = mem_new(128 * sizeof(u16));
    if (id == ENCODING_ISO_8859_16) return load_latin10(table);
    UConverter *converter = open_converter(single_names[id]);
    if (!converter) {
        mem_free(table);
        return NULL;
    }
    for (u32 i = 0; i < 128; i++) {
        char byte = (char)(128 + i);
        u32 c = convert_one(converter, &byte, 1);
        table[i] = is_private(c) && id == ENCODING_WINDOWS_874 ? 0 : (u16)c;
    }
    ucnv_close(converter);
    for (u32 i = 0; i < COUNT(single_patches); i++) {
        if (single_patches[i].id != id) continue;
        table[single_patches[i].byte - 128] = single_patches[i].code_point;
    }
    return table;
}

const u16 *encoding_single_byte(EncodingId id)
{
    static void *tables[ENCODING_COUNT];
    const u16 *table = __atomic_load_n(&tables[id], __ATOMIC_ACQUIRE);
    if (table) return table;
    u16 *made = load_single(id);
    return made ? publish(&tables[id], made) : NULL;
}
