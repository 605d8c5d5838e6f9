/* elf_sym.c -- the dynamic symbols of a shared object.
 *
 * Nothing in the file says how many there are.  The old hash table has one chain entry a symbol;
 * the GNU one covers the symbols that can be looked up, which come last, so that the end of the
 * last chain is the end of the table. */
#include "so2obj.h"

#include <inttypes.h>
#include <string.h>

static bool read_word(const Elf *elf, uint64_t addr, uint32_t *ret)
{
    const uint8_t *p = elf_at(elf, addr, sizeof *ret);
    if (p) memcpy(ret, p, sizeof *ret);
    return p != NULL;
}

/* Follows the chain that holds symbol `last` to its end; returns the number after it, 0 if broken.
 */
static uint32_t chain_end(const Elf *elf, uint64_t chains, uint32_t first, uint32_t last)
{
    for (;;) {
        uint32_t hash = 0;
        if (!read_word(elf, chains + 4 * (uint64_t)(last - first), &hash)) return 0;
        last++;
        if (hash & 1) return last;
    }
}

static bool count_by_gnu_hash(Elf *elf)
{
    uint32_t head[4]; /* buckets, first symbol, words of the filter, shift */
    for (uint32_t i = 0; i < 4; i++) {
        if (!read_word(elf, elf->gnu_hash + 4 * (uint64_t)i, &head[i])) return false;
    }
    uint64_t buckets = elf->gnu_hash + sizeof head + 8 * (uint64_t)head[2];
    uint64_t chains = buckets + 4 * (uint64_t)head[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < head[0]; i++) {
        uint32_t start = 0;
        if (!read_word(elf, buckets + 4 * (uint64_t)i, &start)) return false;
        if (start > last) last = start;
    }
    if (last == 0) {
        elf->n_syms = head[1];
        return true;
    }
    if (last < head[1]) return false;
    elf->n_syms = chain_end(elf, chains, head[1], last);
    return elf->n_syms != 0;
}

/* The GNU hash table of a library that defines nothing does not cover what it imports. */
static void count_by_relocations(Elf *elf, Table table)
{
    for (uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        memcpy(&rela, elf_at(elf, table.addr + at, sizeof rela), sizeof rela);
        uint32_t index = (uint32_t)ELF64_R_SYM(rela.r_info);
        if (index >= elf->n_syms && index < UINT32_MAX) elf->n_syms = index + 1;
    }
}

bool elf_count_syms(Elf *elf, Report *report)
{
    bool ok = false;
    if (elf->hash)
        ok = read_word(elf, elf->hash + 4, &elf->n_syms);
    else if (elf->gnu_hash)
        ok = count_by_gnu_hash(elf);
    if (!ok) return fail(report, elf->path, "has no hash table of symbols, or a broken one");
    count_by_relocations(elf, elf->rela);
    count_by_relocations(elf, elf->jmprel);
    if (elf->n_syms && !elf_at(elf, elf->symtab, (uint64_t)elf->n_syms * sizeof(Elf64_Sym)))
        return fail(report, elf->path, "has a symbol table that ends outside of the file");
    return true;
}

bool elf_sym(const Elf *elf, uint64_t index, Report *report, Sym *ret)
{
    Elf64_Sym raw;
    const uint8_t *p = NULL;
    if (index <= UINT32_MAX) p = elf_at(elf, elf->symtab + index * sizeof raw, sizeof raw);
    if (!p)
        return fail(report, elf->path, "refers to symbol %" PRIu64 ", which is not there", index);
    memcpy(&raw, p, sizeof raw);
    if (raw.st_name >= elf->strings.size)
        return fail(report, elf->path, "symbol %" PRIu64 " has a name outside of the string table",
                    index);
    *ret = (Sym){
        .name = (const char *)elf_at(elf, elf->strings.addr + raw.st_name, 1),
        .value = raw.st_value,
        .size = raw.st_size,
        .index = (uint32_t)index,
        .shndx = raw.st_shndx,
        .type = ELF64_ST_TYPE(raw.st_info),
        .bind = ELF64_ST_BIND(raw.st_info),
    };
    return true;
}
