/* syntax/lex.h -- the lexer: source text to tokens, pulled by the parser one at a time.
 *
 * The text must be followed by LEX_PADDING zero bytes (lex_pad makes such a copy), so that the
 * scanners need no bounds check per byte; a NUL inside the text is told from the end by its
 * address.
 *
 * What a `/`, `}` or `<` begins depends on the grammar, so the parser asks: lex_regexp,
 * lex_template, lex_jsx_* scan again from the current token.  After an error the lexer stands at
 * the end of the text and yields TOK_EOF for ever (`dead`), so callers unwind without checks. */
#pragma once

#include "util/intern.h"
#include "util/log.h"
#include "util/vec.h"

typedef enum {
#define TOK(name, text) TOK_##name,
#include "syntax/token.def"
#undef TOK
    TOK_COUNT,
    TOK_WORD_FIRST = TOK_BREAK,
    TOK_STRICT_FIRST = TOK_IMPLEMENTS, /* words before it are always reserved */
    TOK_CONTEXT_FIRST = TOK_AWAIT, /* from here on: ordinary identifiers with a meaning somewhere */
    TOK_WORD_LAST = TOK_USING,
} Tok;

enum {
    LEX_PADDING = 32,
    LEX_SIZE_MAX = 1 << 30, /* bytes of source */
};

/* The fixed atom of a word token, and back.  Every Interner used here is seeded by lex_seed. */
#define WORD_ATOM(tok)  ((Atom)((tok)-TOK_WORD_FIRST + 1))
#define ATOM_WORD(atom) ((Tok)((atom) + TOK_WORD_FIRST - 1))
enum { ATOM_WORD_LAST = WORD_ATOM(TOK_WORD_LAST) };

typedef enum {
    NUM_DECIMAL,
    NUM_PREFIXED,      /* 0x 0o 0b */
    NUM_LEGACY_OCTAL,  /* 017 */
    NUM_LEGACY_DECIMAL /* 089 */
} NumForm;

typedef struct {
    u32 pos, len;
} Comment;

typedef Vec(Comment) Comments;

/* What comments say to others than people. */
typedef struct {
    Comments legal; /* begin with ! or hold @license or @preserve; in source order */
    bool pure;      /* one holds __PURE__ */
    u32 end;        /* all up to here have been looked at */
} LexNotes;

typedef struct {
    const Source *source;
    const char *src, *at, *end; /* begin, next byte, end */
    const char *first;          /* behind byte order mark and hashbang */
    Log *log;
    Arena *arena; /* cooked strings */
    Interner *atoms;
    LexNotes *notes; /* may be NULL */

    Tok tok;
    u32 pos, tok_end;  /* of the token, bytes */
    u32 prev_end;      /* end of the one before */
    bool nl;           /* a line terminator stands before it */
    bool escaped;      /* word with escapes; string or template with escapes */
    bool legacy_octal; /* string: has \07 or \8 */
    NumForm num_form;
    Str str; /* IDENT, PRIVATE (without #), STR, BIGINT (without n): cooked text */
    f64 num;

    bool dead;           /* an error was reported */
    bool quiet;          /* speculating: errors are not reported */
    bool html_comments;  /* <!-- and --> are comments (scripts) */
    u32 html_comment_at; /* position + 1 of the first one taken, 0: none */
    u32 bad_escape_at;   /* template: position + 1 of its first invalid escape */
} Lexer;

/* Seeds an interner with the words of token.def.  Must be its first use. */
void lex_seed(Interner *in);
/* A copy of `text` with the padding that lexers need. */
Str lex_pad(Arena *a, Str text);
/* `source`, `log`, `arena`, `atoms` are kept.  Skips a byte order mark and a hashbang line.  No
 * token is read. */
void lex_init(Lexer *l, const Source *source, Log *log, Arena *arena, Interner *atoms);
/* The next token when it is a punctuator of one byte directly behind the current one, or behind one
 * space; else TOK_EOF. */
Tok lex_near(const Lexer *l);
/* False when the next token is on another line or does not begin with the letter `first`; cheap,
 * and at times true without need. */
bool lex_may_be_word(const Lexer *l, char first);
/* The current token is a name that begins a type: goes on to the end of the type, as far as that is
 * plain.  True when it ends with `>` or `]`; then neither a dot nor type arguments may follow. */
bool lex_plain_type(Lexer *l);
/* Reads the next token; `/` and `}` are punctuators. */
void lex_next(Lexer *l);
/* The current token is SLASH or ASSIGN_DIV: scan it again as a regular expression. */
void lex_regexp(Lexer *l);
/* The current token is RBRACE: scan it again as the next part of a template. */
void lex_template(Lexer *l);
/* The current token begins with `>`: cut it to just GT.  Likewise `<<` to LT. */
void lex_split_gt(Lexer *l);
void lex_split_lt(Lexer *l);
/* Inside a JSX tag: names may contain `-`, strings have no escapes. */
void lex_jsx_next(Lexer *l);
/* Behind the `=` of an attribute: a string without escapes, or as lex_jsx_next. */
void lex_jsx_value(Lexer *l);
/* Between tags: JSX_TEXT up to `{` or `<`, or LBRACE, or LT. */
void lex_jsx_child(Lexer *l);
/* Reports, once, and puts the lexer at the end.  False. */
bool lex_error(Lexer *l, u32 pos, u32 len, const char *fmt, ...) PRINTF(4, 5);
/* The atom of the current IDENT, word, STR, PRIVATE or BIGINT. */
Atom lex_atom(Lexer *l);
const char *tok_name(Tok t);
/* Line terminators in src[from, to)? */
bool lex_has_newline(const Lexer *l, u32 from, u32 to);

/* For the other files of the lexer. */
bool is_id_start(u32 c);
bool is_id_part(u32 c);
extern const u8 lex_class[256];
enum { CC_ID_START = 1, CC_ID_PART = 2, CC_DIGIT = 4, CC_HEX = 8, CC_SPACE = 16 };
#define IS_CLASS(c, m) (lex_class[(u8)(c)] & (m))
/* Decodes the UTF-8 sequence at `p`; *ret_n is its length.  Malformed: U+FFFD, length 1. */
u32 utf8_read(const char *p, u32 *ret_n);
int hex_value(char c);
/* Skips white space and comments; sets `nl`. */
void lex_trivia(Lexer *l);
/* A comment, at `/`, `<` or `-`, is taken.  False when none begins here, or it never ends. */
bool lex_comment(Lexer *l);
/* A white space character outside ASCII is taken. */
bool lex_unicode_space(Lexer *l);
/* Scanners that lex_next hands over to; `at` stands at the first byte of the token. */
void lex_word_slow(Lexer *l);
void lex_private(Lexer *l);
void lex_number(Lexer *l);
void lex_string(Lexer *l);
void lex_template_start(Lexer *l);
/* `\u` escape after the backslash at l->at; advances.  UINT32_MAX when malformed (not reported). */
u32 lex_unicode_escape(Lexer *l);
void buf_push_wtf8(Buf *b, u32 c);
/* Checks a regular expression.  On failure *ret_msg says why and *ret_at where in `pattern`. */
bool regexp_check(Str pattern, Str flags, const char **ret_msg, u32 *ret_at);
