/* tools/check/style_text.c -- checks of lines and comments, the same for every language. */
#include <ctype.h>
#include <string.h>

#include "check/findings.h"
#include "check/style.h"

static unsigned width(const char *p, size_t len)
{
    unsigned n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)p[i] & 0xc0) != 0x80;
    return n;
}

static void check_line(const SourceFile *file, unsigned line, const char *p, size_t len)
{
    unsigned columns = width(p, len);
    if (memchr(p, '\r', len)) finding(file->path, line, "carriage return");
    if (memchr(p, '\t', len)) finding(file->path, line, "tab; indent with spaces, write \\t");
    if (len && (p[len - 1] == ' ' || p[len - 1] == '\t'))
        finding(file->path, line, "blanks at the end of the line");
    if (columns > LINE_WIDTH_MAX && !memmem(p, len, "://", 3))
        finding(file->path, line, "%u columns; the limit is %u", columns, LINE_WIDTH_MAX);
}

void style_lines(const SourceFile *file, unsigned lines_max)
{
    unsigned n_lines = 0;
    const char *p = file->text.p, *end = p + file->text.len;
    while (p < end) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        n_lines++;
        check_line(file, n_lines, p, (size_t)((next ? next : end) - p));
        if (!next) finding(file->path, n_lines, "the last line has no newline");
        p = next ? next + 1 : end;
    }
    if (n_lines <= lines_max) return;
    unsigned limit = limits_get(file->path, "-", lines_max, FILE_HARD);
    if (n_lines > limit) finding(file->path, 1, "%u lines; the limit is %u", n_lines, limit);
}

static bool is_word_at(const char *p, size_t len, size_t i, const char *word)
{
    size_t n = strlen(word);
    if (i + n > len || memcmp(p + i, word, n) != 0) return false;
    bool before = i && (isalnum((unsigned char)p[i - 1]) || p[i - 1] == '_' || p[i - 1] == '-');
    bool after = i + n < len && (isalnum((unsigned char)p[i + n]) || p[i + n] == '_');
    return !before && !after;
}

static bool names_issue(const char *p, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++) {
        if (p[i] == '#' && isdigit((unsigned char)p[i + 1])) return true;
    }
    return false;
}

/* A note to oneself starts a line or is followed by ":" or "("; else the word is only spoken of. */
static bool is_note(const char *p, size_t len, size_t i)
{
    size_t after = i + (p[i] == 'T' ? 4 : 5);
    if (after < len && (p[after] == ':' || p[after] == '(')) return true;
    while (i && p[i - 1] != '\n' && !isalnum((unsigned char)p[i - 1]) && p[i - 1] != '"') i--;
    return !i || p[i - 1] == '\n';
}

void style_comment(const char *path, unsigned line, const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (p[i] == '\n') line++;
        if (!is_word_at(p, len, i, "TODO") && !is_word_at(p, len, i, "FIXME")) continue;
        if (!is_note(p, len, i)) continue;
        if (names_issue(p, len)) return;
        finding(path, line, "%.*s without an issue: name it (#123) or do it", p[i] == 'T' ? 4 : 5,
                p + i);
    }
}

/* A name with members and indices: a.b->c[d]. Returns its length. */
static size_t place_length(const char *p, size_t len)
{
    size_t i = 0;
    while (i < len && (isalnum((unsigned char)p[i]) || memchr("_.[]$*&", p[i], 7) ||
                       (i + 1 < len && p[i] == '-' && p[i + 1] == '>') ||
                       (i && p[i] == '>' && p[i - 1] == '-')))
        i++;
    return i;
}

static bool ends_with(const char *p, size_t len, const char *end)
{
    size_t n = strlen(end);
    return len >= n && !memcmp(p + len - n, end, n);
}

bool style_is_code(const char *p, size_t len)
{
    while (len && isspace((unsigned char)*p)) p++, len--;
    while (len && isspace((unsigned char)p[len - 1])) len--;
    if (len < 4) return false;
    if (len > 5 && (!memcmp(p, "if (", 4) || !memcmp(p, "for (", 5)) && ends_with(p, len, ") {"))
        return true;
    if (!memcmp(p, "} else", 6) && p[len - 1] == '{') return true;
    if (p[len - 1] != ';') return false;
    size_t place = place_length(p, len);
    if (!place) return false;
    if (place == 6 && !memcmp(p, "return", 6)) return len < 40 && !memchr(p, ',', len);
    /* a call: name( up to ); and nothing after it */
    if (p[place] == '(' && ends_with(p, len, ");")) return true;
    return len > place + 3 && !memcmp(p + place, " = ", 3);
}
