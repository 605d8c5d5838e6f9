/* object.c -- builds and writes an ELF relocatable object.
 *
 * Order in the file: header, contents of the sections, symbols, names, relocations, section names,
 * section headers.  Section numbers: 0 is none, then the sections in the order they were added,
 * then one relocation section for each that has relocations, then the three tables. */
#include "so2obj.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_MAX (2 * COUNT(((Object *)0)->sections) + 4)

static uint32_t add_bytes(ByteVec *vec, const char *text)
{
    uint32_t at = (uint32_t)vec->len;
    for (const char *p = text;; p++) {
        VEC_PUSH(vec, *p);
        if (!*p) return at;
    }
}

void object_init(Object *object)
{
    *object = (Object){0};
    (void)add_bytes(&object->names, "");
    (void)object_symbol(object, "", (Elf64_Sym){0});
}

OutSection *object_section(Object *object, const char *prefix, const char *suffix)
{
    if (object->n_sections == COUNT(object->sections)) abort();
    OutSection *section = &object->sections[object->n_sections++];
    (void)snprintf(section->name, sizeof section->name, "%s%s", prefix, suffix);
    section->type = SHT_PROGBITS;
    section->align = 1;
    return section;
}

uint16_t object_section_number(const Object *object, const OutSection *section)
{
    return (uint16_t)(section - object->sections + 1);
}

uint32_t object_symbol(Object *object, const char *name, Elf64_Sym sym)
{
    sym.st_name = *name ? add_bytes(&object->names, name) : 0;
    VEC_PUSH(&object->syms, sym);
    if (ELF64_ST_BIND(sym.st_info) == STB_LOCAL) object->n_local = (uint32_t)object->syms.len;
    return (uint32_t)object->syms.len - 1;
}

typedef struct {
    FILE *f;
    uint64_t at;
    Elf64_Shdr headers[HEADERS_MAX];
    uint32_t n_headers;
    ByteVec names;
} Writer;

static void put(Writer *w, const void *data, uint64_t size)
{
    if (size) (void)fwrite(data, 1, size, w->f); /* errors stick: ferror is asked at the end */
    w->at += size;
}

static void put_padding(Writer *w, uint64_t align)
{
    static const uint8_t zeros[64];
    while (w->at % align) {
        uint64_t n = align - w->at % align;
        put(w, zeros, n < sizeof zeros ? n : sizeof zeros);
    }
}

/* Writes the contents of one section and remembers its header, of which the caller has filled in
 * what is not said by the place in the file. */
static void put_section(Writer *w, const char *name, const void *data, Elf64_Shdr head)
{
    if (head.sh_type != SHT_NOBITS) put_padding(w, head.sh_addralign);
    head.sh_name = add_bytes(&w->names, name);
    head.sh_offset = w->at;
    w->headers[w->n_headers++] = head;
    if (head.sh_type != SHT_NOBITS) put(w, data, head.sh_size);
}

static void put_relocations(Writer *w, const Object *object, uint32_t index, uint32_t symtab)
{
    const OutSection *section = &object->sections[index];
    char name[sizeof section->name + 8];
    (void)snprintf(name, sizeof name, ".rela%s", section->name);
    put_section(w, name, section->relas.p,
                (Elf64_Shdr){.sh_type = SHT_RELA,
                             .sh_flags = SHF_INFO_LINK,
                             .sh_size = section->relas.len * sizeof(Elf64_Rela),
                             .sh_link = symtab,
                             .sh_info = index + 1,
                             .sh_addralign = 8,
                             .sh_entsize = sizeof(Elf64_Rela)});
}

static void put_tables(Writer *w, const Object *object)
{
    uint32_t symtab = w->n_headers;
    for (uint32_t i = 0; i < object->n_sections; i++) {
        if (object->sections[i].relas.len) symtab++;
    }
    for (uint32_t i = 0; i < object->n_sections; i++) {
        if (object->sections[i].relas.len) put_relocations(w, object, i, symtab);
    }
    put_section(w, ".symtab", object->syms.p,
                (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                             .sh_size = object->syms.len * sizeof(Elf64_Sym),
                             .sh_link = symtab + 1,
                             .sh_info = object->n_local,
                             .sh_addralign = 8,
                             .sh_entsize = sizeof(Elf64_Sym)});
    put_section(
        w, ".strtab", object->names.p,
        (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_size = object->names.len, .sh_addralign = 1});
    /* The header is made after the name has been added to the very table that it describes. */
    uint32_t name = add_bytes(&w->names, ".shstrtab");
    w->headers[w->n_headers++] = (Elf64_Shdr){.sh_name = name,
                                              .sh_type = SHT_STRTAB,
                                              .sh_offset = w->at,
                                              .sh_size = w->names.len,
                                              .sh_addralign = 1};
    put(w, w->names.p, w->names.len);
    put_padding(w, 8);
}

static void put_object(Writer *w, const Object *object)
{
    Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                    ELFOSABI_GNU}, /* for SHF_GNU_RETAIN */
        .e_type = ET_REL,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof head,
        .e_shentsize = sizeof(Elf64_Shdr),
    };
    put(w, &head, sizeof head);
    (void)add_bytes(&w->names, "");
    w->n_headers = 1;
    for (uint32_t i = 0; i < object->n_sections; i++) {
        const OutSection *section = &object->sections[i];
        put_section(w, section->name, section->data,
                    (Elf64_Shdr){.sh_type = section->type,
                                 .sh_flags = section->flags,
                                 .sh_size = section->size,
                                 .sh_addralign = section->align,
                                 .sh_entsize = section->entsize});
    }
    put_tables(w, object);
    head.e_shoff = w->at;
    head.e_shnum = (uint16_t)w->n_headers;
    head.e_shstrndx = (uint16_t)(w->n_headers - 1);
    put(w, w->headers, w->n_headers * sizeof w->headers[0]);
    rewind(w->f);
    (void)fwrite(&head, 1, sizeof head, w->f);
}

bool object_write(Object *object, const char *path, Report *report)
{
    char tmp[4096];
    int n = snprintf(tmp, sizeof tmp, "%s.tmp", path);
    if (n < 0 || (size_t)n >= sizeof tmp) return fail(report, path, "is too long a name");
    Writer w = {.f = fopen(tmp, "wb")};
    if (!w.f) return fail(report, tmp, "cannot be created: %s", strerror(errno));
    put_object(&w, object);
    free(w.names.p);
    bool ok = !ferror(w.f);
    ok = fclose(w.f) == 0 && ok;
    ok = ok && rename(tmp, path) == 0;
    if (ok) return true;
    (void)fail(report, path, "cannot be written: %s", strerror(errno));
    (void)unlink(tmp);
    return false;
}
