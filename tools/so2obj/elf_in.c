/* elf_in.c -- reads the headers and the dynamic section of a shared object.
 *
 * The file is hostile: no number in it is used as an offset, an address or a count before it has
 * been checked against the size of the file or of a segment.  elf_at is the one door to the
 * contents. */
#include "so2obj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint8_t *elf_at(const Elf *elf, uint64_t addr, uint64_t size)
{
    for (uint32_t i = 0; i < elf->n_loads; i++) {
        const Load *load = &elf->loads[i];
        if (addr < load->addr) continue;
        uint64_t inside = addr - load->addr;
        if (inside > load->file_size) continue;
        if (size > load->file_size - inside) continue;
        return elf->data + load->offset + inside;
    }
    return NULL;
}

static bool check_kind(const Elf *elf, const Elf64_Ehdr *head, Report *report)
{
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return fail(report, elf->path, "is not an ELF file; give a shared object (.so)");
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB)
        return fail(report, elf->path, "is not a 64-bit little-endian ELF file");
    if (head->e_machine != EM_X86_64)
        return fail(report, elf->path, "is for machine %u, not for x86-64 (%u)", head->e_machine,
                    EM_X86_64);
    if (head->e_type != ET_DYN)
        return fail(report, elf->path, "is of ELF type %u, not a shared object (%u)", head->e_type,
                    ET_DYN);
    if (head->e_version != EV_CURRENT)
        return fail(report, elf->path, "has ELF version %u; only 1 is known", head->e_version);
    return true;
}

static bool add_load(Elf *elf, const Elf64_Phdr *ph, Report *report)
{
    if (elf->n_loads == LOADS_MAX)
        return fail(report, elf->path, "has more than %d segments to load", LOADS_MAX);
    if (ph->p_filesz > ph->p_memsz)
        return fail(report, elf->path,
                    "segment at 0x%" PRIx64 " is longer in the file than in memory", ph->p_vaddr);
    if (ph->p_vaddr > IMAGE_END_MAX || ph->p_memsz > IMAGE_END_MAX - ph->p_vaddr)
        return fail(report, elf->path, "segment at 0x%" PRIx64 " ends beyond 0x%x", ph->p_vaddr,
                    IMAGE_END_MAX);
    if (elf->n_loads > 0) {
        const Load *before = &elf->loads[elf->n_loads - 1];
        uint64_t end = before->addr + before->mem_size;
        if (ph->p_vaddr / PAGE_SIZE < (end + PAGE_SIZE - 1) / PAGE_SIZE)
            return fail(report, elf->path,
                        "segment at 0x%" PRIx64 " is out of order or shares a page with the one "
                        "before; link it with -z separate-code",
                        ph->p_vaddr);
    }
    Load *load = &elf->loads[elf->n_loads++];
    *load = (Load){ph->p_offset, ph->p_vaddr, ph->p_filesz, ph->p_memsz, ph->p_flags, false};
    return true;
}

static bool set_tls(Elf *elf, const Elf64_Phdr *ph, Report *report)
{
    if (elf->tls.mem_size)
        return fail(report, elf->path, "has two segments of thread-local storage");
    if (ph->p_filesz > ph->p_memsz || ph->p_memsz > IMAGE_END_MAX)
        return fail(report, elf->path, "has thread-local storage of an impossible size");
    if (ph->p_align > PAGE_SIZE || (ph->p_align & (ph->p_align - 1)))
        return fail(report, elf->path, "wants thread-local storage aligned to %" PRIu64,
                    ph->p_align);
    elf->tls = (Load){ph->p_offset, ph->p_vaddr, ph->p_filesz, ph->p_memsz, ph->p_flags, false};
    elf->tls_align = ph->p_align ? ph->p_align : 1;
    return true;
}

static bool read_segments(Elf *elf, const Elf64_Ehdr *head, Report *report, Table *ret_dynamic)
{
    if (head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phnum == 0 || head->e_phnum == PN_XNUM)
        return fail(report, elf->path, "has no usable program headers");
    uint64_t table_size = (uint64_t)head->e_phnum * sizeof(Elf64_Phdr);
    if (head->e_phoff > elf->size || table_size > elf->size - head->e_phoff)
        return fail(report, elf->path, "is truncated: the program headers are outside of the file");
    for (uint32_t i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr ph;
        memcpy(&ph, elf->data + head->e_phoff + i * sizeof ph, sizeof ph);
        bool used = ph.p_type == PT_LOAD || ph.p_type == PT_DYNAMIC || ph.p_type == PT_TLS;
        if (!used && ph.p_type != PT_GNU_EH_FRAME) continue;
        if (ph.p_offset > elf->size || ph.p_filesz > elf->size - ph.p_offset)
            return fail(report, elf->path, "is truncated: program header %u reaches beyond the end",
                        i);
        if (ph.p_type == PT_LOAD && !add_load(elf, &ph, report)) return false;
        if (ph.p_type == PT_TLS && !set_tls(elf, &ph, report)) return false;
        if (ph.p_type == PT_DYNAMIC) *ret_dynamic = (Table){ph.p_offset, ph.p_filesz};
        if (ph.p_type == PT_GNU_EH_FRAME) elf->eh_frame_hdr = ph.p_vaddr;
    }
    if (!elf->n_loads) return fail(report, elf->path, "has no segment to load");
    if (elf->tls.file_size && !elf_at(elf, elf->tls.addr, elf->tls.file_size))
        return fail(report, elf->path, "has thread-local storage outside of its segments");
    return true;
}

/* Where the value of a dynamic tag that is simply kept goes, or NULL. */
static uint64_t *tag_place(Elf *elf, int64_t tag)
{
    switch (tag) {
    case DT_STRTAB: return &elf->strings.addr;
    case DT_STRSZ: return &elf->strings.size;
    case DT_SYMTAB: return &elf->symtab;
    case DT_RELA: return &elf->rela.addr;
    case DT_RELASZ: return &elf->rela.size;
    case DT_JMPREL: return &elf->jmprel.addr;
    case DT_PLTRELSZ: return &elf->jmprel.size;
    case DT_RELR: return &elf->relr.addr;
    case DT_RELRSZ: return &elf->relr.size;
    case DT_INIT: return &elf->init;
    case DT_FINI: return &elf->fini;
    case DT_INIT_ARRAY: return &elf->init_array.addr;
    case DT_INIT_ARRAYSZ: return &elf->init_array.size;
    case DT_FINI_ARRAY: return &elf->fini_array.addr;
    case DT_FINI_ARRAYSZ: return &elf->fini_array.size;
    case DT_HASH: return &elf->hash;
    case DT_GNU_HASH: return &elf->gnu_hash;
    case DT_VERSYM: return &elf->versym;
    case DT_VERNEED: return &elf->verneed;
    case DT_VERNEEDNUM: return &elf->n_verneed;
    case DT_VERDEF: return &elf->verdef;
    case DT_VERDEFNUM: return &elf->n_verdef;
    default: return NULL;
    }
}

/* Tags that change what loading means; a value other than the one that is understood is refused. */
static bool check_tag(const Elf *elf, const Elf64_Dyn *dyn, Report *report)
{
    uint64_t value = dyn->d_un.d_val;
    bool ok = true;
    switch (dyn->d_tag) {
    case DT_SYMENT: ok = value == sizeof(Elf64_Sym); break;
    case DT_RELAENT: ok = value == sizeof(Elf64_Rela); break;
    case DT_RELRENT: ok = value == sizeof(uint64_t); break;
    case DT_PLTREL: ok = value == DT_RELA; break;
    case DT_RELSZ:
    case DT_PREINIT_ARRAYSZ: ok = value == 0; break;
    default: break;
    }
    if (ok) return true;
    return fail(report, elf->path,
                "dynamic tag %" PRId64 " has the value %" PRIu64
                ", which so2obj does not know how to honour",
                (int64_t)dyn->d_tag, value);
}

static bool check_tables(const Elf *elf, Report *report)
{
    const struct {
        const char *name;
        const Table *table;
        uint64_t entry_size;
    } tables[] = {
        {"string table", &elf->strings, 1},
        {"relocation table", &elf->rela, sizeof(Elf64_Rela)},
        {"procedure relocation table", &elf->jmprel, sizeof(Elf64_Rela)},
        {"relative relocation table", &elf->relr, sizeof(uint64_t)},
        {"table of initialisers", &elf->init_array, sizeof(uint64_t)},
        {"table of finalisers", &elf->fini_array, sizeof(uint64_t)},
    };
    for (size_t i = 0; i < COUNT(tables); i++) {
        const Table *table = tables[i].table;
        if (table->size % tables[i].entry_size)
            return fail(report, elf->path, "the %s has a broken size", tables[i].name);
        if (table->size && !elf_at(elf, table->addr, table->size))
            return fail(report, elf->path, "the %s is outside of the file", tables[i].name);
    }
    if (!elf->strings.size || !elf->symtab)
        return fail(report, elf->path, "has no dynamic symbols");
    if (*elf_at(elf, elf->strings.addr + elf->strings.size - 1, 1))
        return fail(report, elf->path, "the string table does not end with a zero byte");
    if (elf->init_array.size / 8 > INITS_MAX || elf->fini_array.size / 8 > INITS_MAX)
        return fail(report, elf->path, "has more than %d initialisers or finalisers", INITS_MAX);
    return true;
}

static bool read_dynamic(Elf *elf, Table dynamic, Report *report)
{
    uint64_t soname = 0;
    bool ended = false;
    for (uint64_t at = 0; !ended && dynamic.size - at >= sizeof(Elf64_Dyn);) {
        Elf64_Dyn dyn;
        memcpy(&dyn, elf->data + dynamic.addr + at, sizeof dyn);
        at += sizeof dyn;
        ended = dyn.d_tag == DT_NULL;
        if (!check_tag(elf, &dyn, report)) return false;
        uint64_t *place = tag_place(elf, dyn.d_tag);
        if (place) *place = dyn.d_un.d_val;
        if (dyn.d_tag == DT_SONAME) soname = dyn.d_un.d_val;
    }
    if (!ended) return fail(report, elf->path, "has no dynamic section, or one without an end");
    if (!check_tables(elf, report)) return false;
    if (soname >= elf->strings.size)
        return fail(report, elf->path, "has a name outside of its string table");
    const uint8_t *name = elf_at(elf, elf->strings.addr + soname, 1);
    elf->soname = soname ? (const char *)name : "";
    return true;
}

bool elf_open(Elf *elf, const char *path, Report *report)
{
    *elf = (Elf){.path = path, .soname = ""};
    if (!file_read(path, report, &elf->data, &elf->size)) return false;
    Elf64_Ehdr head;
    Table dynamic = {0};
    bool ok = elf->size >= sizeof head;
    if (!ok) {
        (void)fail(report, path, "is too short for an ELF file; give a shared object (.so)");
        goto out;
    }
    memcpy(&head, elf->data, sizeof head);
    ok = check_kind(elf, &head, report) && read_segments(elf, &head, report, &dynamic) &&
         read_dynamic(elf, dynamic, report) && elf_count_syms(elf, report);
    if (ok) elf_find_dropped(elf);
out:
    if (!ok) elf_close(elf);
    return ok;
}

void elf_close(Elf *elf)
{
    free(elf->data);
    elf->data = NULL;
    elf->size = 0;
}
