/* text.c -- shortens two roundabout ways in the code, now that addresses are known.
 *
 * Jump table.  Code reaches functions of other files, and its own exported ones, through an entry
 *     jmp *slot(%rip); push $index; jmp first_entry
 * whose slot the loader fills in.  The first instruction becomes `jmp function`, or a jump to the
 * function of the executable that was given instead (--divert).
 *
 * Thread-local variables.  Position-independent code of the general-dynamic model asks the loader:
 *     data16 lea slot(%rip),%rdi; data16 data16 rex.W call __tls_get_addr
 * In an executable the variable is at a fixed distance from the thread pointer, and linkers put
 *     mov %fs:0,%rax; lea distance(%rax),%rax
 * into the same 16 bytes (System V ABI for AMD64 supplement on TLS, "GD -> LE").
 *
 * Both are changed only where every part of the pattern agrees with the relocations, so that data
 * that happens to look like code is safe. */
#include "so2obj.h"

#include <stdlib.h>
#include <string.h>

#define PATTERN_SIZE 16u

typedef struct {
    Image *image;
    const Elf64_Rela *relas; /* sorted by offset */
    size_t n_relas;
    uint64_t first_entry;  /* of the jump table; 0 until one entry was found */
    uint64_t tls_get_addr; /* its entry in the jump table, or 0 */
} Text;

static int by_offset(const void *a, const void *b)
{
    uint64_t x = ((const Elf64_Rela *)a)->r_offset, y = ((const Elf64_Rela *)b)->r_offset;
    return x < y ? -1 : x > y;
}

/* The relocation at `addr`, or NULL. */
static const Elf64_Rela *find_rela(const Text *text, uint64_t addr)
{
    Elf64_Rela key = {.r_offset = addr};
    if (!text->n_relas) return NULL;
    return bsearch(&key, text->relas, text->n_relas, sizeof key, by_offset);
}

static uint32_t read_u32(const uint8_t *p)
{
    uint32_t x = 0;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Where a 32-bit distance at `p` leads to, if the instruction ends at address `end`. */
static uint64_t target_of(const uint8_t *p, uint64_t end)
{
    return end + (uint64_t)(int64_t)(int32_t)read_u32(p);
}

/* The procedure relocation of the jump table entry at `p`, or NULL if it is none. */
static const Elf64_Rela *match_entry(Text *text, const uint8_t *p, uint64_t addr)
{
    if (p[0] != 0xff || p[1] != 0x25 || p[6] != 0x68 || p[11] != 0xe9) return NULL;
    const Elf64_Rela *rela = find_rela(text, target_of(p + 2, addr + 6));
    if (!rela || ELF64_R_TYPE(rela->r_info) != R_X86_64_JUMP_SLOT) return NULL;
    const Elf *elf = text->image->elf;
    uint64_t at = (uint64_t)read_u32(p + 7) * sizeof *rela;
    if (at >= elf->jmprel.size) return NULL;
    if (memcmp(elf_at(elf, elf->jmprel.addr + at, sizeof *rela), rela, sizeof *rela) != 0)
        return NULL;
    uint64_t first = target_of(p + 12, addr + 16);
    if (text->first_entry && text->first_entry != first) return NULL;
    text->first_entry = first;
    return rela;
}

static bool shorten_entry(Text *text, uint8_t *p, uint64_t addr, OutSection *section,
                          uint64_t offset)
{
    Image *image = text->image;
    Sym sym;
    const Elf64_Rela *rela = match_entry(text, p, addr);
    if (!rela) return true;
    if (!elf_sym(image->elf, ELF64_R_SYM(rela->r_info), image->report, &sym)) return false;
    bool is_undefined = sym_is_undefined(&sym);
    if (is_undefined && strcmp(sym.name, "__tls_get_addr") == 0) text->tls_get_addr = addr;
    if (sym.shndx == SHN_ABS || (is_undefined && sym.bind == STB_WEAK)) return true;
    uint32_t divert = is_undefined ? 0 : reloc_divert(image, &sym);
    bool is_foreign = is_undefined || divert;
    uint32_t distance = is_foreign ? 0 : (uint32_t)(sym.value - (addr + 5));
    p[0] = 0xe9;
    memcpy(p + 1, &distance, sizeof distance);
    if (is_foreign) {
        uint64_t number = divert ? divert : reloc_symbol(image, &sym);
        Elf64_Rela out = {offset + 1, ELF64_R_INFO(number, R_X86_64_PLT32), -4};
        VEC_PUSH(&section->relas, out);
    }
    image->stats.n_jumps++;
    return true;
}

/* The variable of the words at `slot` that __tls_get_addr is given: a symbol of the object and what
 * to add to it.  False if they are something else. */
static bool find_variable(Text *text, uint64_t slot, uint64_t *ret_sym, int64_t *ret_addend)
{
    Image *image = text->image;
    const Elf64_Rela *module = find_rela(text, slot), *place = find_rela(text, slot + 8);
    if (!module || ELF64_R_TYPE(module->r_info) != R_X86_64_DTPMOD64) return false;
    *ret_sym = image->tls_sym;
    if (!place) {
        /* reloc.c has left the offset to the linker and the word is zero: not worth a second way.
         */
        return false;
    }
    Sym sym = {0};
    if (ELF64_R_TYPE(place->r_info) != R_X86_64_DTPOFF64) return false;
    *ret_addend = place->r_addend;
    if (!ELF64_R_SYM(place->r_info)) return image->tls_section != NULL;
    if (!elf_sym(image->elf, ELF64_R_SYM(place->r_info), image->report, &sym)) return false;
    if (sym_is_undefined(&sym))
        *ret_sym = reloc_symbol(image, &sym);
    else
        *ret_addend += (int64_t)sym.value; /* was checked when the relocation was applied */
    return true;
}

static void shorten_tls(Text *text, uint8_t *p, uint64_t addr, OutSection *section, uint64_t offset)
{
    static const uint8_t lea[] = {0x66, 0x48, 0x8d, 0x3d}, call[] = {0x66, 0x66, 0x48, 0xe8};
    static const uint8_t code[PATTERN_SIZE] = {0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0,
                                               0,    0x48, 0x8d, 0x80, 0,    0, 0, 0};
    if (memcmp(p, lea, sizeof lea) != 0 || memcmp(p + 8, call, sizeof call) != 0) return;
    if (target_of(p + 12, addr + 16) != text->tls_get_addr) return;
    uint64_t sym = 0;
    int64_t addend = 0;
    if (!find_variable(text, target_of(p + 4, addr + 8), &sym, &addend)) return;
    memcpy(p, code, sizeof code);
    Elf64_Rela out = {offset + 12, ELF64_R_INFO(sym, R_X86_64_TPOFF32), addend};
    VEC_PUSH(&section->relas, out);
    text->image->stats.n_tls++;
}

static bool shorten_load(Text *text, uint32_t index)
{
    const Elf *elf = text->image->elf;
    const Load *load = &elf->loads[index];
    OutSection *section = text->image->load_sections[index];
    if (!(load->flags & PF_X) || (load->flags & PF_W) || load->file_size < PATTERN_SIZE)
        return true;
    uint8_t *data = elf->data + load->offset;
    uint64_t n = load->file_size - PATTERN_SIZE + 1;
    for (uint64_t i = -load->addr % PATTERN_SIZE; i < n; i += PATTERN_SIZE) {
        if (!shorten_entry(text, data + i, load->addr + i, section, i)) return false;
    }
    for (uint64_t i = 0; text->tls_get_addr && i < n; i++)
        shorten_tls(text, data + i, load->addr + i, section, i);
    return true;
}

bool text_shorten(Image *image, const Elf64_Rela *relas, size_t n_relas)
{
    Text text = {.image = image, .relas = relas, .n_relas = n_relas};
    for (uint32_t i = 0; i < image->elf->n_loads; i++) {
        if (!shorten_load(&text, i)) return false;
    }
    return true;
}
