/* syntax/lex_test.c -- tokens: words, numbers, strings, comments, hostile bytes. */
#include "syntax/test_syntax.h"

#include <string.h>

typedef struct {
    Arena arena;
    Interner atoms;
    Log log;
    Source source;
    Lexer l;
} Fixture;

static void setup(Fixture *f, Str text)
{
    memset(f, 0, sizeof(*f));
    log_init(&f->log, &f->arena);
    interner_init(&f->atoms, &f->arena, 0);
    lex_seed(&f->atoms);
    f->source = (Source){S("test"), lex_pad(&f->arena, text)};
    lex_init(&f->l, &f->source, &f->log, &f->arena, &f->atoms);
    lex_next(&f->l);
}

TEST(lex_every_word_is_found_by_its_hash)
{
    for (u32 t = TOK_WORD_FIRST; t <= TOK_WORD_LAST; t++) {
        Fixture f;
        setup(&f, str_z(tok_name((Tok)t)));
        CHECK_INT(f.l.tok, t);
        CHECK_INT(lex_atom(&f.l), WORD_ATOM(t));
        arena_deinit(&f.arena);
    }
}

TEST(lex_words_that_only_look_like_keywords)
{
    static const char *const words[] = {"functio", "functions",  "iff",     "I",
                                        "clas",    "constructo", "a\\u0062"};
    for (usize i = 0; i < COUNT(words); i++) {
        Fixture f;
        setup(&f, str_z(words[i]));
        CHECK_INT(f.l.tok, TOK_IDENT);
        arena_deinit(&f.arena);
    }
}

TEST(lex_numbers)
{
    static const struct {
        const char *text;
        f64 value;
    } cases[] = {
        {"0", 0},
        {"12", 12},
        {"1_000", 1000},
        {".5", 0.5},
        {"1e3", 1000},
        {"0x1F", 31},
        {"0b101", 5},
        {"0o17", 15},
        {"017", 15},
        {"089", 89},
        {"1.e1", 10},
        {"9007199254740993", 9007199254740992.0},
        {"0x20000000000001", 9007199254740992.0},
        {"0x20000000000003", 9007199254740996.0},
        {"5e-324", 5e-324},
    };
    for (usize i = 0; i < COUNT(cases); i++) {
        Fixture f;
        setup(&f, str_z(cases[i].text));
        CHECK_INT(f.l.tok, TOK_NUM);
        CHECK(f.l.num == cases[i].value);
        arena_deinit(&f.arena);
    }
}

TEST(lex_bad_numbers)
{
    static const char *const bad[] = {"1_",     "1__0", "0_1",  "0x",   "0b2", "1e",
                                      "3in []", "0xg",  "08_1", "1_.2", "01n"};
    for (usize i = 0; i < COUNT(bad); i++) {
        Fixture f;
        setup(&f, str_z(bad[i]));
        if (f.log.n_errors != 1) test_fail(__FILE__, __LINE__, bad[i]);
        arena_deinit(&f.arena);
    }
}

TEST(lex_strings_are_cooked)
{
    Fixture f;
    setup(&f, S("'a\\n\\x41\\u{1F600}\\ud83d\\ude00\\\r\nb\\0'"));
    CHECK_INT(f.l.tok, TOK_STR);
    CHECK(str_eq(f.l.str, S("a\nA\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
                            "b\0")));
    arena_deinit(&f.arena);
    setup(&f, S("'\\ud800'"));
    CHECK_STR(f.l.str, "\xed\xa0\x80");
    arena_deinit(&f.arena);
}

TEST(lex_comments_and_line_ends)
{
    Fixture f;
    setup(&f, S("#!/usr/bin/env x\n/* a\xe2\x80\xa8 */ // b\n x"));
    CHECK_INT(f.l.tok, TOK_IDENT);
    CHECK(f.l.nl);
    lex_next(&f.l);
    CHECK_INT(f.l.tok, TOK_EOF);
    CHECK_INT(f.log.n_errors, 0);
    arena_deinit(&f.arena);
}

TEST(lex_never_reads_past_the_end)
{
    static const char *const texts[] = {"'",  "\"\\", "`", "`${", "`\\",  "/*",
                                        "\\", "\\u",  "#", "0x",  "\xe2", "\xf0\x9f"};
    for (usize i = 0; i < COUNT(texts); i++) {
        Fixture f;
        setup(&f, str_z(texts[i]));
        for (int k = 0; k < 4; k++) lex_next(&f.l);
        CHECK_INT(f.l.tok, TOK_EOF);
        arena_deinit(&f.arena);
    }
}

TEST(lex_identifiers_of_unicode_17)
{
    CHECK(is_id_start(0x3b1));
    CHECK(is_id_start(0x20000));
    CHECK(!is_id_start(0x203f));
    CHECK(is_id_part(0x203f));
    CHECK(!is_id_part(0x2028));
    CHECK(!is_id_part(0x10ffff));
}
