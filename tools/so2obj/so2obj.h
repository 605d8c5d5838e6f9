/* so2obj.h -- what the parts of so2obj share.
 *
 * The program reads one x86-64 shared object and writes a relocatable object whose sections are the
 * segments of the input, already relocated for a fixed address.  docs/internals/so2obj.md tells the
 * whole story.
 *
 * Errors: every function that can fail returns false after it has put one finished message into a
 * Report.  Memory: what is allocated lives until the process ends, except what has a `_free`. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define PAGE_SIZE 4096u

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1u << 21) /* glibc's elf.h learned the name late */
#endif

/* Limits.  Beyond each of them the input is refused. */
#define INPUT_SIZE_MAX ((uint64_t)1 << 30) /* bytes of a file */
#define LOADS_MAX      16                  /* PT_LOAD segments */
#define IMAGE_END_MAX  0x7fff0000u         /* end of the image: 32-bit references must reach it */
#define INITS_MAX      4096                /* entries of an init or fini array */

/* ---- report.c ---- */

/* One message: the first failure is kept. */
typedef struct {
    char text[1024];
} Report;

/* Fills `report` with "FILE: message" unless it holds one; always returns false. */
bool fail(Report *report, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* malloc and realloc that end the process when memory runs out; `mem_zero` fills with zeros. */
void *mem_zero(size_t n, size_t size);
void *mem_grow(void *old, size_t n, size_t size);

/* Makes room in a vector for one more element; `len` and `cap` count elements. */
#define VEC_PUSH(v, x)                                                                             \
    do {                                                                                           \
        if ((v)->len == (v)->cap) {                                                                \
            (v)->cap = (v)->cap ? 2 * (v)->cap : 64;                                               \
            (v)->p = mem_grow((v)->p, (v)->cap, sizeof *(v)->p);                                   \
        }                                                                                          \
        (v)->p[(v)->len++] = (x);                                                                  \
    } while (0)

/* Reads a whole file.  `*ret_data` is the caller's, to be released with free(). */
bool file_read(const char *path, Report *report, uint8_t **ret_data, size_t *ret_size);

/* ---- elf_in.c, elf_sym.c: reading; every offset in the file is checked before it is used ---- */

typedef struct {
    uint64_t offset, addr, file_size, mem_size;
    uint32_t flags;  /* PF_R, PF_W, PF_X */
    bool is_dropped; /* not part of the image, see elf_drop.c */
} Load;

/* A table of the dynamic section: address and size in bytes; size 0 when absent. */
typedef struct {
    uint64_t addr, size;
} Table;

typedef struct {
    const char *path;
    uint8_t *data;
    size_t size;
    Load loads[LOADS_MAX];
    uint32_t n_loads;
    Load tls; /* mem_size 0: no thread-local storage */
    uint64_t tls_align;
    uint64_t eh_frame_hdr; /* address, 0 when absent */
    Table strings, rela, jmprel, relr, init_array, fini_array;
    uint64_t symtab, hash, gnu_hash, versym, verneed, verdef; /* addresses, 0 when absent */
    uint64_t n_verneed, n_verdef;
    uint64_t init, fini;
    const char *soname; /* "" when absent */
    uint32_t n_syms;    /* symbols that the hash tables know of */
} Elf;

typedef struct {
    const char *name;
    uint64_t value, size;
    uint32_t index;
    uint16_t shndx;
    uint8_t type, bind;
} Sym;

/* Reads and checks the headers and the dynamic section.  Release with elf_close. */
bool elf_open(Elf *elf, const char *path, Report *report);
void elf_close(Elf *elf);

/* The bytes [addr, addr + size) of the loaded image, or NULL unless one segment's file part has
 * them all.  Borrowed from `elf`. */
uint8_t *elf_at(const Elf *elf, uint64_t addr, uint64_t size);

/* Symbol number `index` of the dynamic symbol table. */
bool elf_sym(const Elf *elf, uint64_t index, Report *report, Sym *ret);

/* Counts the symbols with the help of the hash tables; called by elf_open. */
bool elf_count_syms(Elf *elf, Report *report);

/* The st_info byte of a symbol. */
static inline uint8_t sym_info(uint8_t bind, uint8_t type)
{
    return (uint8_t)((uint32_t)bind << 4 | type);
}

/* Marks the segments that the image can do without; called by elf_open. */
void elf_find_dropped(Elf *elf);

static inline bool sym_is_undefined(const Sym *sym)
{
    return sym->shndx == SHN_UNDEF;
}

/* ---- versions.c ---- */

/* Refuses an input in which a name alone does not say which symbol is meant: two undefined symbols
 * with one name and different versions. */
bool versions_check_input(const Elf *elf, Report *report);

/* Refuses an input that has the undefined symbol `name`. */
bool versions_check_absent(const Elf *elf, const char *name, Report *report);

/* Refuses an input that needs a version of a symbol of `lib` which is not the one that a fresh link
 * with `lib` would take. */
bool versions_check_lib(const Elf *elf, const Elf *lib, Report *report);

/* ---- object.c: the relocatable object that is being made ---- */

typedef struct {
    Elf64_Rela *p;
    size_t len, cap;
} RelaVec;

typedef struct {
    char name[64];
    uint32_t type;
    uint64_t flags, align, size, entsize;
    const uint8_t *data; /* NULL for SHT_NOBITS */
    RelaVec relas;
} OutSection;

typedef struct {
    Elf64_Sym *p;
    size_t len, cap;
} SymVec;

typedef struct {
    char *p;
    size_t len, cap;
} ByteVec;

typedef struct {
    OutSection sections[3 * LOADS_MAX];
    uint32_t n_sections;
    SymVec syms;      /* syms.p[0] is the null symbol */
    uint32_t n_local; /* symbols that are local, the null symbol included */
    ByteVec names;
} Object;

void object_init(Object *object);

/* A new section; the caller fills in what it knows.  Its number in the file is its place plus 1.
 * The pointer stays valid. */
OutSection *object_section(Object *object, const char *prefix, const char *suffix);
uint16_t object_section_number(const Object *object, const OutSection *section);

/* Adds a symbol, returns its number.  All local symbols come before the first that is not. */
uint32_t object_symbol(Object *object, const char *name, Elf64_Sym sym);

/* Writes the object; the file appears whole or not at all. */
bool object_write(Object *object, const char *path, Report *report);

/* ---- image.c: relocation ---- */

/* Calls of the input's own function `from` through its jump table go to `to`, a function of the
 * executable. */
typedef struct {
    const char *from, *to;
} Divert;

typedef struct {
    uint64_t base;
    const char *prefix;    /* of section and symbol names */
    char *const *patterns; /* shell patterns of the symbols to export */
    size_t n_patterns;
    const Divert *diverts;
    uint32_t n_diverts;
} ImageOptions;

typedef struct {
    uint32_t n_constants;  /* relocations settled here */
    uint32_t n_references; /* relocations left to the linker */
    uint32_t n_exports;
    uint32_t n_jumps, n_tls; /* places in the code that were shortened */
    uint32_t n_diverted;
} ImageStats;

/* An image under construction. */
typedef struct {
    Elf *elf; /* its bytes are relocated in place */
    const ImageOptions *options;
    Object *object;
    Report *report;
    OutSection *load_sections[LOADS_MAX]; /* NULL for a load without bytes in the file */
    OutSection *bss_sections[LOADS_MAX];
    OutSection *tls_section;
    OutSection *function_section; /* see reloc.c; its size grows with each function referred to */
    uint32_t tls_sym;
    uint32_t *sym_map; /* symbol of the input to symbol of the object; 0 means not there yet */
    ImageStats stats;
} Image;

/* Fills the object from the input.  The structs that `options`, `elf`, `object` and `report` point
 * to are the caller's and must be ready. */
bool image_build(Image *image);

/* Writes the arguments that a link of the object needs, one a line, in the form that compilers read
 * with `@FILE`. */
bool image_write_args(const Image *image, const char *path);

/* The load that contains `addr` in memory, its end included, or -1. */
int image_find_load(const Elf *elf, uint64_t addr);

/* ---- reloc.c ---- */

/* Applies all relocations of the input: constants into its bytes, references into the object. */
bool reloc_apply(Image *image);

/* The symbol of the object for the undefined symbol `sym` of the input. */
uint32_t reloc_symbol(Image *image, const Sym *sym);
/* The symbol of the function that stands in for the defined `sym`, or 0. */
uint32_t reloc_divert(Image *image, const Sym *sym);

/* ---- text.c ---- */

/* Shortens jumps and accesses to thread-local variables in the code.  `relas` are all relocations
 * of the input, already applied, sorted by offset. */
bool text_shorten(Image *image, const Elf64_Rela *relas, size_t n_relas);

/* ---- export.c ---- */

/* Adds the symbols that match the patterns, and those that describe the image. */
bool export_symbols(Image *image);

/* ---- stubs.c ---- */

/* Writes C source with an aborting function for each undefined symbol of `elf` that one of `libs`
 * defines. */
bool stubs_write(const Elf *elf, const Elf *libs, uint32_t n_libs, const char *path, Report *report,
                 uint32_t *ret_count);
