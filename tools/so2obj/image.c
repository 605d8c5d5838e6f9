/* image.c -- the sections of the object.
 *
 *   .PREFIX.N       bytes of load segment N, at base + its address
 *   .PREFIX.N.bss   the part of it that is zero
 *   .tdata.PREFIX / .tbss.PREFIX   thread-local storage, in one piece, because code compiled for
 * the local-dynamic model knows the distances inside of it .init_array / .fini_array      addresses
 * of what the loader would call .rodata.PREFIX.functions       see want_fixed_address in reloc.c
 *   .PREFIX.check   refers to a symbol that only the link arguments define
 *
 * Code refers to data of other segments without relocations, so that a linker that drops unused
 * sections cannot see what is used: all of these ask to be kept. */
#include "so2obj.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int image_find_load(const Elf *elf, uint64_t addr)
{
    int found = -1;
    for (uint32_t i = 0; i < elf->n_loads; i++) {
        const Load *load = &elf->loads[i];
        if (addr >= load->addr && addr - load->addr <= load->mem_size) found = (int)i;
    }
    return found;
}

/* The largest power of two, up to a page, that divides `addr`. */
static uint64_t align_of(uint64_t addr)
{
    uint64_t align = addr & (~addr + 1);
    return align && align < PAGE_SIZE ? align : PAGE_SIZE;
}

static void add_load_sections(Image *image, uint32_t index)
{
    const Load *load = &image->elf->loads[index];
    if (load->is_dropped) return;
    char prefix[40], suffix[24];
    (void)snprintf(prefix, sizeof prefix, ".%s", image->options->prefix);
    uint64_t flags = SHF_ALLOC | SHF_GNU_RETAIN;
    if (load->flags & PF_W) flags |= SHF_WRITE;
    if (load->flags & PF_X) flags |= SHF_EXECINSTR;
    if (load->file_size) {
        (void)snprintf(suffix, sizeof suffix, ".%u", index);
        OutSection *section = object_section(image->object, prefix, suffix);
        section->flags = flags;
        section->align = align_of(image->options->base + load->addr);
        section->size = load->file_size;
        section->data = image->elf->data + load->offset;
        image->load_sections[index] = section;
    }
    if (load->mem_size > load->file_size) {
        (void)snprintf(suffix, sizeof suffix, ".%u.bss", index);
        OutSection *section = object_section(image->object, prefix, suffix);
        section->type = SHT_NOBITS;
        section->flags = flags;
        section->align = align_of(image->options->base + load->addr + load->file_size);
        section->size = load->mem_size - load->file_size;
        image->bss_sections[index] = section;
    }
}

static void add_tls_section(Image *image)
{
    const Elf *elf = image->elf;
    if (!elf->tls.mem_size) return;
    bool initialised = elf->tls.file_size != 0;
    char suffix[40];
    (void)snprintf(suffix, sizeof suffix, ".%s", image->options->prefix);
    OutSection *section = object_section(image->object, initialised ? ".tdata" : ".tbss", suffix);
    section->type = initialised ? SHT_PROGBITS : SHT_NOBITS;
    section->flags = SHF_ALLOC | SHF_WRITE | SHF_TLS | SHF_GNU_RETAIN;
    section->align = elf->tls_align;
    section->size = elf->tls.mem_size;
    image->tls_section = section;
    image->tls_sym = object_symbol(image->object, "",
                                   (Elf64_Sym){
                                       .st_info = sym_info(STB_LOCAL, STT_SECTION),
                                       .st_shndx = object_section_number(image->object, section),
                                   });
}

static void add_function_section(Image *image)
{
    char name[40];
    (void)snprintf(name, sizeof name, ".rodata.%s", image->options->prefix);
    OutSection *section = object_section(image->object, name, ".functions");
    section->flags = SHF_ALLOC | SHF_GNU_RETAIN;
    section->align = 4;
    image->function_section = section;
}

/* After relocation: the bytes of the TLS image, padded with zeros to its size in memory. */
static void fill_tls_section(Image *image)
{
    const Elf *elf = image->elf;
    if (!elf->tls.file_size) return;
    uint8_t *data = mem_zero(elf->tls.mem_size, 1);
    memcpy(data, elf_at(elf, elf->tls.addr, elf->tls.file_size), elf->tls.file_size);
    image->tls_section->data = data;
}

/* Copies the references that lie in [addr, addr + size) of the input to `to`, where they start at
 * `to_offset`. */
static void copy_references(const Image *image, Table range, OutSection *to, uint64_t to_offset)
{
    for (uint32_t i = 0; i < image->elf->n_loads; i++) {
        const OutSection *from = image->load_sections[i];
        for (size_t k = 0; from && k < from->relas.len; k++) {
            Elf64_Rela rela = from->relas.p[k];
            uint64_t addr = image->elf->loads[i].addr + rela.r_offset;
            if (addr < range.addr || addr - range.addr >= range.size) continue;
            rela.r_offset = addr - range.addr + to_offset;
            VEC_PUSH(&to->relas, rela);
        }
    }
}

/* An array of functions to call: `first` (an address, 0 for none), then those in `table`. */
static void add_call_array(Image *image, uint64_t first, Table table, bool is_init)
{
    uint64_t head = first ? 8 : 0;
    if (head + table.size == 0) return;
    uint8_t *data = mem_zero(head + table.size, 1);
    uint64_t addr = image->options->base + first;
    if (first) memcpy(data, &addr, sizeof addr);
    if (table.size) memcpy(data + head, elf_at(image->elf, table.addr, table.size), table.size);
    OutSection *section =
        object_section(image->object, is_init ? ".init_array" : ".fini_array", "");
    section->type = is_init ? SHT_INIT_ARRAY : SHT_FINI_ARRAY;
    section->flags = SHF_ALLOC | SHF_WRITE | SHF_GNU_RETAIN;
    section->align = 8;
    section->entsize = 8;
    section->size = head + table.size;
    section->data = data;
    copy_references(image, table, section, head);
}

static void check_symbol_name(const Image *image, char *ret, size_t size)
{
    (void)snprintf(ret, size, "so2obj_%s_needs_its_link_arguments", image->options->prefix);
}

static void add_check_section(Image *image)
{
    static const uint8_t zeros[8];
    char name[128];
    (void)snprintf(name, sizeof name, ".%s", image->options->prefix);
    OutSection *section = object_section(image->object, name, ".check");
    section->align = 8;
    section->size = sizeof zeros;
    section->data = zeros;
    check_symbol_name(image, name, sizeof name);
    uint32_t sym = object_symbol(image->object, name,
                                 (Elf64_Sym){.st_info = sym_info(STB_GLOBAL, STT_NOTYPE)});
    Elf64_Rela rela = {.r_info = ELF64_R_INFO((uint64_t)sym, R_X86_64_64)};
    VEC_PUSH(&section->relas, rela);
}

static void add_stack_note(Image *image)
{
    (void)object_section(image->object, ".note.GNU-stack", "");
}

static bool check_place(const Image *image)
{
    const Elf *elf = image->elf;
    const Load *last = &elf->loads[elf->n_loads - 1];
    uint64_t end = last->addr + last->mem_size;
    if (image->options->base % PAGE_SIZE)
        return fail(image->report, elf->path,
                    "cannot be placed at 0x%" PRIx64 ": --base must be a multiple of %u",
                    image->options->base, PAGE_SIZE);
    if (image->options->base > IMAGE_END_MAX || end > IMAGE_END_MAX - image->options->base)
        return fail(image->report, elf->path,
                    "placed at 0x%" PRIx64 " ends beyond 0x%x; choose a lower --base",
                    image->options->base, IMAGE_END_MAX);
    return true;
}

bool image_build(Image *image)
{
    const Elf *elf = image->elf;
    if (!check_place(image)) return false;
    object_init(image->object);
    for (uint32_t i = 0; i < elf->n_loads; i++) add_load_sections(image, i);
    add_tls_section(image);
    add_function_section(image);
    image->sym_map = mem_zero(elf->n_syms, sizeof *image->sym_map);
    bool ok = versions_check_input(elf, image->report) && reloc_apply(image);
    free(image->sym_map);
    image->sym_map = NULL;
    if (!ok) return false;
    fill_tls_section(image);
    image->function_section->data = mem_zero(image->function_section->size, 1);
    if (image->tls_section) {
        Table tls = {elf->tls.addr, elf->tls.file_size};
        copy_references(image, tls, image->tls_section, 0);
    }
    add_call_array(image, elf->init, elf->init_array, true);
    /* Finalisers run from the last to the first: what is called last comes first. */
    add_call_array(image, elf->fini, elf->fini_array, false);
    add_check_section(image);
    add_stack_note(image);
    return export_symbols(image);
}

static void print_section_start(FILE *f, const OutSection *section, uint64_t addr)
{
    if (section) (void)fprintf(f, "-Wl,--section-start=%s=0x%" PRIx64 "\n", section->name, addr);
}

bool image_write_args(const Image *image, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return fail(image->report, path, "cannot be created: %s", strerror(errno));
    for (uint32_t i = 0; i < image->elf->n_loads; i++) {
        const Load *load = &image->elf->loads[i];
        uint64_t addr = image->options->base + load->addr;
        print_section_start(f, image->load_sections[i], addr);
        print_section_start(f, image->bss_sections[i], addr + load->file_size);
    }
    char name[128];
    check_symbol_name(image, name, sizeof name);
    (void)fprintf(f, "-Wl,--defsym=%s=0\n", name);
    bool ok = !ferror(f);
    ok = fclose(f) == 0 && ok;
    if (ok) return true;
    (void)unlink(path);
    return fail(image->report, path, "cannot be written: %s", strerror(errno));
}
