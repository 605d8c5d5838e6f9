/* reloc.c -- applies the dynamic relocations of the input.
 *
 * What depends only on the input becomes a constant, because the base is fixed.  What refers to a
 * symbol that the input does not define becomes a relocation of the object.  A symbol that the
 * input defines is always its own one: nothing outside replaces it, as if it was linked with
 * -Bsymbolic. */
#include "so2obj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Elf64_Rela *p;
    size_t len, cap;
} Relas;

static void patch_u64(Image *image, uint64_t addr, uint64_t value)
{
    memcpy(elf_at(image->elf, addr, sizeof value), &value, sizeof value);
    image->stats.n_constants++;
}

/* DT_RELR: even words are the address of a word to relocate; odd words are 63 flags for the words
 * that follow it. */
static bool apply_relr(Image *image)
{
    Elf *elf = image->elf;
    uint64_t next = 0;
    for (uint64_t at = 0; at < elf->relr.size; at += 8) {
        uint64_t entry = 0, bits = 1;
        memcpy(&entry, elf_at(elf, elf->relr.addr + at, 8), 8);
        uint64_t addr = entry & 1 ? next : entry;
        if (entry & 1) bits = entry >> 1;
        next = addr + (entry & 1 ? 63 * 8 : 8);
        for (; bits; bits >>= 1, addr += 8) {
            if (!(bits & 1)) continue;
            uint64_t value = 0;
            const uint8_t *p = elf_at(elf, addr, 8);
            if (!p)
                return fail(image->report, elf->path,
                            "relocates 0x%" PRIx64 ", which is not in the file", addr);
            memcpy(&value, p, sizeof value);
            patch_u64(image, addr, value + image->options->base);
        }
    }
    return true;
}

static int by_offset(const void *a, const void *b)
{
    uint64_t x = ((const Elf64_Rela *)a)->r_offset, y = ((const Elf64_Rela *)b)->r_offset;
    return x < y ? -1 : x > y;
}

static void collect(const Elf *elf, Table table, Relas *to)
{
    for (uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        memcpy(&rela, elf_at(elf, table.addr + at, sizeof rela), sizeof rela);
        if (ELF64_R_TYPE(rela.r_info) != R_X86_64_NONE) VEC_PUSH(to, rela);
    }
}

static bool check_places(const Image *image, const Relas *relas)
{
    for (size_t i = 0; i < relas->len; i++) {
        uint64_t addr = relas->p[i].r_offset;
        if (!elf_at(image->elf, addr, 8))
            return fail(image->report, image->elf->path,
                        "relocates 0x%" PRIx64 ", which is not in the file", addr);
        if (i > 0 && addr - relas->p[i - 1].r_offset < 8)
            return fail(image->report, image->elf->path,
                        "relocates the bytes at 0x%" PRIx64 " twice", addr);
    }
    return true;
}

/* Leaves the word at `addr` to the linker. */
static void refer(Image *image, uint64_t addr, uint64_t sym, uint32_t type, int64_t addend)
{
    const Elf *elf = image->elf;
    memset(elf_at(elf, addr, 8), 0, 8);
    for (uint32_t i = 0; i < elf->n_loads; i++) {
        const Load *load = &elf->loads[i];
        if (addr < load->addr || addr - load->addr >= load->file_size) continue;
        Elf64_Rela rela = {addr - load->addr, ELF64_R_INFO(sym, type), addend};
        VEC_PUSH(&image->load_sections[i]->relas, rela);
        break;
    }
    image->stats.n_references++;
}

/* The linker gives a function of a library that is linked dynamically an address in the executable,
 * its entry in the jump table, when a read-only section asks for one; then all other references are
 * settled at link time too, and the loader looks the function up when it is first called.  Without
 * this it would look up every function at every start. */
static void want_fixed_address(Image *image, uint32_t sym)
{
    OutSection *section = image->function_section;
    Elf64_Rela rela = {section->size, ELF64_R_INFO((uint64_t)sym, R_X86_64_32), 0};
    VEC_PUSH(&section->relas, rela);
    section->size += 4;
}

uint32_t reloc_symbol(Image *image, const Sym *sym)
{
    uint32_t *place = &image->sym_map[sym->index];
    if (*place) return *place;
    bool is_function = sym->type == STT_FUNC;
    uint8_t bind = sym->bind == STB_WEAK ? STB_WEAK : STB_GLOBAL;
    Elf64_Sym out = {.st_info = sym_info(bind, sym->type == STT_TLS ? STT_TLS : STT_NOTYPE)};
    *place = object_symbol(image->object, sym->name, out);
    if (is_function) want_fixed_address(image, *place);
    return *place;
}

uint32_t reloc_divert(Image *image, const Sym *sym)
{
    const ImageOptions *options = image->options;
    for (uint32_t i = 0; i < options->n_diverts; i++) {
        if (strcmp(options->diverts[i].from, sym->name) != 0) continue;
        Elf64_Sym out = {.st_info = sym_info(STB_GLOBAL, STT_NOTYPE)};
        image->stats.n_diverted++;
        return object_symbol(image->object, options->diverts[i].to, out);
    }
    return 0;
}

static bool refuse(const Image *image, const Elf64_Rela *rela, const char *why)
{
    return fail(image->report, image->elf->path, "relocation of type %u at 0x%" PRIx64 " %s",
                (uint32_t)ELF64_R_TYPE(rela->r_info), rela->r_offset, why);
}

/* R_X86_64_64, GLOB_DAT, JUMP_SLOT: the address of a symbol. */
static bool apply_address(Image *image, const Elf64_Rela *rela, int64_t addend)
{
    Sym sym;
    if (!ELF64_R_SYM(rela->r_info)) return refuse(image, rela, "has no symbol");
    if (!elf_sym(image->elf, ELF64_R_SYM(rela->r_info), image->report, &sym)) return false;
    if (sym.type == STT_TLS)
        return refuse(image, rela, "wants the address of a thread-local symbol");
    if (sym.type == STT_GNU_IFUNC)
        return refuse(image, rela,
                      "refers to an indirect function (ifunc), which is not supported");
    if (sym_is_undefined(&sym)) {
        if (!*sym.name) return refuse(image, rela, "refers to a symbol without a name");
        refer(image, rela->r_offset, reloc_symbol(image, &sym), R_X86_64_64, addend);
        return true;
    }
    if (sym.shndx >= SHN_LORESERVE && sym.shndx != SHN_ABS)
        return refuse(image, rela, "refers to a symbol in a section of a special kind");
    /* Where code takes the address of a function as well as calling it, this is its jump table. */
    bool is_table = ELF64_R_TYPE(rela->r_info) == R_X86_64_GLOB_DAT;
    uint32_t divert = is_table ? reloc_divert(image, &sym) : 0;
    if (divert) {
        refer(image, rela->r_offset, divert, R_X86_64_64, 0);
        return true;
    }
    uint64_t base = sym.shndx == SHN_ABS ? 0 : image->options->base;
    patch_u64(image, rela->r_offset, base + sym.value + (uint64_t)addend);
    return true;
}

/* DTPOFF64 and TPOFF64: the place of a variable in the thread-local storage of the executable. */
static bool apply_tls_offset(Image *image, const Elf64_Rela *rela)
{
    uint32_t type = ELF64_R_TYPE(rela->r_info);
    int64_t offset = rela->r_addend;
    if (ELF64_R_SYM(rela->r_info)) {
        Sym sym;
        if (!elf_sym(image->elf, ELF64_R_SYM(rela->r_info), image->report, &sym)) return false;
        if (sym.type != STT_TLS)
            return refuse(image, rela, "refers to a symbol that is not thread-local");
        if (sym_is_undefined(&sym)) {
            if (!*sym.name) return refuse(image, rela, "refers to a symbol without a name");
            refer(image, rela->r_offset, reloc_symbol(image, &sym), type, offset);
            return true;
        }
        if (__builtin_add_overflow(offset, (int64_t)sym.value, &offset))
            return refuse(image, rela, "has an impossible offset");
    }
    if (!image->tls_section)
        return refuse(image, rela, "is for thread-local storage that is missing");
    refer(image, rela->r_offset, image->tls_sym, type, offset);
    return true;
}

/* DTPMOD64: the executable is module 1.  When no relocation follows for the second word (a local
 * variable, or the local-dynamic model), that word holds the offset in this file's storage. */
static bool apply_tls_module(Image *image, const Elf64_Rela *rela, bool is_paired)
{
    patch_u64(image, rela->r_offset, 1);
    if (is_paired) return true;
    const uint8_t *words = elf_at(image->elf, rela->r_offset, 16);
    if (!image->tls_section || !words)
        return refuse(image, rela, "is for thread-local storage that is missing");
    int64_t offset = 0;
    memcpy(&offset, words + 8, sizeof offset);
    refer(image, rela->r_offset + 8, image->tls_sym, R_X86_64_DTPOFF64, offset);
    return true;
}

/* `next` is the relocation that follows in memory, or NULL. */
static bool apply(Image *image, const Elf64_Rela *rela, const Elf64_Rela *next)
{
    switch (ELF64_R_TYPE(rela->r_info)) {
    case R_X86_64_RELATIVE:
        patch_u64(image, rela->r_offset, image->options->base + (uint64_t)rela->r_addend);
        return true;
    case R_X86_64_64: return apply_address(image, rela, rela->r_addend);
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT: return apply_address(image, rela, 0);
    case R_X86_64_DTPMOD64:
        return apply_tls_module(image, rela, next && next->r_offset - rela->r_offset < 16);
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64: return apply_tls_offset(image, rela);
    case R_X86_64_IRELATIVE:
        return refuse(image, rela,
                      "(IRELATIVE) calls code to find an address, which is not supported");
    case R_X86_64_TLSDESC:
        return refuse(image, rela, "(TLSDESC) is not supported; compile with -mtls-dialect=gnu");
    case R_X86_64_COPY: return refuse(image, rela, "(COPY) belongs in executables only");
    default: return refuse(image, rela, "is of a type that so2obj does not know");
    }
}

bool reloc_apply(Image *image)
{
    Relas relas = {0};
    collect(image->elf, image->elf->rela, &relas);
    collect(image->elf, image->elf->jmprel, &relas);
    if (relas.len) qsort(relas.p, relas.len, sizeof *relas.p, by_offset);
    /* The tables themselves may lie in what is about to be changed, hence the copies. */
    bool ok = check_places(image, &relas) && apply_relr(image);
    for (size_t i = 0; ok && i < relas.len; i++) {
        const Elf64_Rela *next = i + 1 < relas.len ? &relas.p[i + 1] : NULL;
        ok = apply(image, &relas.p[i], next);
    }
    ok = ok && text_shorten(image, relas.p, relas.len);
    free(relas.p);
    return ok;
}
