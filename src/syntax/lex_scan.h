/* syntax/lex_scan.h -- words, 16 bytes at a time (private to the lexer). */
#pragma once

#include "syntax/lex.h"

#include <emmintrin.h>

/* By Tok; only those of words are used. */
extern const AtomText lex_words[TOK_COUNT];

static inline __m128i load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* One bit for each of the 16 bytes at `p` that is no letter, digit, $ or _. */
static inline u32 word_ends(const char *p)
{
    __m128i v = load16(p), low = _mm_or_si128(v, _mm_set1_epi8(0x20));
    /* Moved to the top of the signed range, so that one comparison tells. */
    __m128i letter =
        _mm_cmpgt_epi8(_mm_add_epi8(low, _mm_set1_epi8(127 - 'z')), _mm_set1_epi8(127 - 26));
    __m128i digit =
        _mm_cmpgt_epi8(_mm_add_epi8(v, _mm_set1_epi8(127 - '9')), _mm_set1_epi8(127 - 10));
    __m128i other =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('$')), _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
    __m128i all = _mm_or_si128(_mm_or_si128(letter, digit), other);
    return (u32)_mm_movemask_epi8(all) ^ 0xffff;
}

/* The keyword whose bytes are the first `n` at `p`, else TOK_IDENT; n <= 16. */
static inline Tok find_word(const char *p, usize n)
{
    static const u8 rows[256] = {
#define WORD_FACTOR(x)
#define WORD_ROW(...) __VA_ARGS__,
#include "syntax/lex_words.def"
#undef WORD_FACTOR
#undef WORD_ROW
    };
    static const u64 factor =
#define WORD_FACTOR(x) x##u;
#define WORD_ROW(...)
#include "syntax/lex_words.def"
#undef WORD_FACTOR
#undef WORD_ROW
        static const u8 masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    __m128i v = _mm_and_si128(load16(p), load16((const char *)masks + 16 - n));
    u64 head = (u64)_mm_cvtsi128_si64(v);
    Tok t = ATOM_WORD(rows[head * factor >> 56]);
    /* Row 0 is that of the last token before the words, no word. */
    const __m128i *row = (const __m128i *)(const void *)&lex_words[t].lo;
    u32 same = (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_loadu_si128(row)));
    return same == 0xffff ? t : TOK_IDENT;
}
