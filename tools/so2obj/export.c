/* export.c -- the symbols that the object offers to a link. */
#include "so2obj.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Sym *p;
    size_t len, cap;
} Picked;

static bool matches(const ImageOptions *options, const char *name)
{
    for (size_t i = 0; i < options->n_patterns; i++) {
        if (fnmatch(options->patterns[i], name, 0) == 0) return true;
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Sym *)a)->name, ((const Sym *)b)->name);
}

/* The section and the offset in it of an address of the input; an address in none is absolute. */
static void place_symbol(const Image *image, uint64_t addr, Elf64_Sym *ret)
{
    int index = image_find_load(image->elf, addr);
    ret->st_shndx = SHN_ABS;
    ret->st_value = image->options->base + addr;
    if (index < 0) return;
    const Load *load = &image->elf->loads[index];
    const OutSection *section = image->load_sections[index];
    uint64_t offset = addr - load->addr;
    const OutSection *bss = image->bss_sections[index];
    if (bss && offset >= load->file_size) {
        section = bss;
        offset -= load->file_size;
    }
    if (!section) return;
    ret->st_shndx = object_section_number(image->object, section);
    ret->st_value = offset;
}

static bool export_one(Image *image, const Sym *sym)
{
    const char *file = image->elf->path;
    if (sym->type == STT_GNU_IFUNC)
        return fail(image->report, file, "cannot export %s: it is an indirect function (ifunc)",
                    sym->name);
    if (sym->shndx >= SHN_LORESERVE && sym->shndx != SHN_ABS)
        return fail(image->report, file, "cannot export %s: it is in a section of a special kind",
                    sym->name);
    bool is_weak = sym->bind == STB_WEAK;
    Elf64_Sym out = {
        .st_info = sym_info(is_weak ? STB_WEAK : STB_GLOBAL, sym->type),
        .st_size = sym->size,
    };
    if (sym->type == STT_TLS) {
        if (!image->tls_section || sym->value > image->tls_section->size)
            return fail(image->report, file, "cannot export %s: it has no storage", sym->name);
        out.st_shndx = object_section_number(image->object, image->tls_section);
        out.st_value = sym->value;
    } else if (sym->shndx == SHN_ABS) {
        out.st_shndx = SHN_ABS;
        out.st_value = sym->value;
    } else {
        place_symbol(image, sym->value, &out);
    }
    (void)object_symbol(image->object, sym->name, out);
    image->stats.n_exports++;
    return true;
}

static bool pick(const Image *image, Picked *to)
{
    for (uint32_t i = 1; i < image->elf->n_syms; i++) {
        Sym sym;
        if (!elf_sym(image->elf, i, image->report, &sym)) return false;
        bool is_shared =
            sym.bind == STB_GLOBAL || sym.bind == STB_WEAK || sym.bind == STB_GNU_UNIQUE;
        if (!is_shared || sym_is_undefined(&sym) || !*sym.name) continue;
        if (matches(image->options, sym.name)) VEC_PUSH(to, sym);
    }
    if (to->len) qsort(to->p, to->len, sizeof *to->p, by_name);
    for (size_t i = 1; i < to->len; i++) {
        if (by_name(&to->p[i - 1], &to->p[i]) == 0)
            return fail(image->report, image->elf->path,
                        "defines %s in more than one version; do not export it", to->p[i].name);
    }
    return true;
}

static void add_marker(Image *image, const char *suffix, uint64_t addr)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s_%s", image->options->prefix, suffix);
    Elf64_Sym out = {.st_info = sym_info(STB_GLOBAL, STT_NOTYPE)};
    place_symbol(image, addr, &out);
    (void)object_symbol(image->object, name, out);
}

/* PREFIX_image_start, PREFIX_image_end, PREFIX_text_start, PREFIX_text_end and, when there is one,
 * PREFIX_eh_frame_hdr. */
static void add_markers(Image *image)
{
    const Elf *elf = image->elf;
    const Load *last = &elf->loads[elf->n_loads - 1];
    add_marker(image, "image_start", elf->loads[0].addr);
    add_marker(image, "image_end", last->addr + last->mem_size);
    for (uint32_t i = 0; i < elf->n_loads; i++) {
        const Load *load = &elf->loads[i];
        if (!(load->flags & PF_X)) continue;
        add_marker(image, "text_start", load->addr);
        add_marker(image, "text_end", load->addr + load->mem_size);
        break;
    }
    if (elf->eh_frame_hdr) add_marker(image, "eh_frame_hdr", elf->eh_frame_hdr);
}

bool export_symbols(Image *image)
{
    Picked picked = {0};
    bool ok = pick(image, &picked);
    for (size_t i = 0; ok && i < picked.len; i++) ok = export_one(image, &picked.p[i]);
    free(picked.p);
    if (ok) add_markers(image);
    return ok;
}
