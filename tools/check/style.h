#pragma once
/* tools/check/style.h -- the checks of one source file; each prints its findings. */
#include <stdbool.h>

#include "check/ctok.h"
#include "embed/host.h"

typedef struct {
    const char *path; /* from the root of the repository: src/util/str.c */
    Text text;
} SourceFile;

#define LINE_WIDTH_MAX    100
#define C_FUNCTION_LINES  70
#define C_FUNCTION_HARD   100
#define FILE_LINES        800
#define FILE_HARD         1500
#define PARAMETERS_MAX    6
#define NESTING_MAX       4
#define JS_FUNCTION_LINES 60
#define JS_FILE_LINES     600

/* Width, tabs, trailing blanks, the last newline, the number of lines. */
void style_lines(const SourceFile *file, unsigned lines_max);
/* One comment: TODO without an issue. */
void style_comment(const char *path, unsigned line, const char *p, size_t len);
/* Is this line of a comment, without its marks, certainly a statement? Prose, also prose about
 * code, must not count: a line is taken for code only if nothing else can end and look like it. */
bool style_is_code(const char *p, size_t len);

/* Everything about a .c, .h or .def file but its lines. */
void style_c(const SourceFile *file);
/* The words of house style that a C file may not call. */
void style_words(const SourceFile *file, const CToks *code, size_t begin, size_t end);
/* A name that is defined in this file is not the library's. */
void style_words_own(const CToks *code);
/* Everything about the JS half of a built-in but its lines. */
void style_js(const SourceFile *file);
