/* elf_drop.c -- finds segments that only the loader of a shared object reads.
 *
 * Symbol, string, hash, version and relocation tables have done their work when the object is
 * written.  A segment with nothing else in it is left out, unless something refers to it. */
#include "so2obj.h"

#include <string.h>

static bool is_loader_section(uint32_t type)
{
    switch (type) {
    case SHT_NOTE:
    case SHT_HASH:
    case SHT_GNU_HASH:
    case SHT_DYNSYM:
    case SHT_STRTAB:
    case SHT_RELA:
    case SHT_RELR:
    case SHT_GNU_versym:
    case SHT_GNU_verneed:
    case SHT_GNU_verdef: return true;
    default: return false;
    }
}

/* Whether `addr` is in the load; its end is not. */
static bool is_inside(const Load *load, uint64_t addr)
{
    return addr >= load->addr && addr - load->addr < load->mem_size;
}

/* Whether the section headers say that the load holds loader sections, and no others. */
static bool has_loader_sections_only(const Elf *elf, const Load *load)
{
    Elf64_Ehdr head;
    memcpy(&head, elf->data, sizeof head);
    uint64_t table_size = (uint64_t)head.e_shnum * sizeof(Elf64_Shdr);
    if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shnum == 0) return false;
    if (head.e_shoff > elf->size || table_size > elf->size - head.e_shoff) return false;
    bool found = false;
    for (uint32_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, elf->data + head.e_shoff + i * sizeof section, sizeof section);
        if (!(section.sh_flags & SHF_ALLOC) || section.sh_type == SHT_NULL) continue;
        bool starts_before = section.sh_addr < load->addr + load->mem_size;
        bool ends_after = section.sh_size > UINT64_MAX - section.sh_addr ||
                          section.sh_addr + section.sh_size > load->addr;
        if (!starts_before || !ends_after) continue;
        if (!is_loader_section(section.sh_type)) return false;
        found = true;
    }
    return found;
}

static bool is_used_by_table(const Elf *elf, const Load *load, Table table)
{
    for (uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        memcpy(&rela, elf_at(elf, table.addr + at, sizeof rela), sizeof rela);
        if (is_inside(load, rela.r_offset)) return true;
        bool is_relative = ELF64_R_TYPE(rela.r_info) == R_X86_64_RELATIVE;
        if (is_relative && is_inside(load, (uint64_t)rela.r_addend)) return true;
    }
    return false;
}

static bool is_used_by_symbol(const Elf *elf, const Load *load)
{
    Report ignored = {0};
    for (uint32_t i = 1; i < elf->n_syms; i++) {
        Sym sym;
        if (!elf_sym(elf, i, &ignored, &sym)) return true;
        if (!sym_is_undefined(&sym) && sym.type != STT_TLS && is_inside(load, sym.value))
            return true;
    }
    return false;
}

void elf_find_dropped(Elf *elf)
{
    if (elf->relr.size) return; /* the values that it relocates are not looked at here */
    for (uint32_t i = 0; i < elf->n_loads; i++) {
        Load *load = &elf->loads[i];
        if (load->flags & (PF_W | PF_X) || !has_loader_sections_only(elf, load)) continue;
        if (is_inside(load, elf->init_array.addr) || is_inside(load, elf->fini_array.addr)) {
            if (elf->init_array.size || elf->fini_array.size) continue;
        }
        if (elf->eh_frame_hdr && is_inside(load, elf->eh_frame_hdr)) continue;
        if (elf->tls.mem_size && is_inside(load, elf->tls.addr)) continue;
        if (is_used_by_table(elf, load, elf->rela) || is_used_by_table(elf, load, elf->jmprel))
            continue;
        if (is_used_by_symbol(elf, load)) continue;
        load->is_dropped = true;
    }
}
