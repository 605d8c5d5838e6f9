/* tools/check/check_style.c -- `check_style` from the root of the repository: banned words, sizes,
 * comments, file names. Exit code 1 if anything is wrong. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/findings.h"
#include "check/style.h"

static bool is_c(const char *path)
{
    return has_suffix(path, ".c") || has_suffix(path, ".h");
}

/* Inputs of tests are what they are. */
static bool is_data(const char *path)
{
    static const char *const folders[] = {"tests/cli/",    "tests/bundle/",  "tests/install/",
                                          "tests/compat/", "tests/runtime/", NULL};
    for (size_t i = 0; folders[i]; i++) {
        if (has_prefix(path, folders[i])) return true;
    }
    return strstr(path, "/fixtures/") != NULL;
}

static bool is_half(const char *path)
{
    return has_prefix(path, "src/") && has_suffix(path, ".js") && !has_suffix(path, ".test.js");
}

static bool check_file(const char *path)
{
    SourceFile file = {.path = path};
    bool c = is_c(path), half = is_half(path);
    if (is_data(path) || (!c && !half && !has_suffix(path, ".def"))) return false;
    if (!host_read(path, &file.text)) host_die("%s: %s", path, strerror(errno));
    style_lines(&file, half ? JS_FILE_LINES : FILE_LINES);
    if (half)
        style_js(&file);
    else
        style_c(&file);
    free(file.text.p);
    return true;
}

/* A file is spoken of by its name, so names are unique; a built-in is spoken of by its path, and
 * each program has its main.c. */
static bool needs_unique_name(const char *path)
{
    return is_c(path) && strcmp(base_name(path), "main.c") != 0 && !is_data(path) &&
           !has_prefix(path, "src/builtins/") && !has_suffix(path, "_test.c");
}

static int compare_base_names(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int order = strcmp(base_name(x), base_name(y));
    return order ? order : strcmp(x, y);
}

static void check_names(const Names *files)
{
    Names c = {0};
    for (size_t i = 0; i < files->len; i++) {
        if (needs_unique_name(files->v[i])) names_push(&c, files->v[i]);
    }
    if (c.len) qsort(c.v, c.len, sizeof(char *), compare_base_names);
    for (size_t i = 1; i < c.len; i++) {
        if (!strcmp(base_name(c.v[i]), base_name(c.v[i - 1])))
            finding(c.v[i], 1, "file name is taken by %s; names are unique in the tree",
                    c.v[i - 1]);
    }
    free(c.v);
}

/* What is built does not belong in git. Without git there is nothing to look at. */
static void check_tracked(void)
{
    FILE *pipe = popen("git ls-files -- build '*.o' '*.a' '*.so' 2>/dev/null", "re");
    if (!pipe) return;
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t n; (n = getline(&line, &cap, pipe)) > 0;) {
        if (line[n - 1] == '\n') line[n - 1] = 0;
        if (!is_data(line)) finding(line, 1, "a file that the build makes is in git");
    }
    free(line);
    (void)pclose(pipe);
}

int main(int argc, char **argv)
{
    if (argc != 1) host_die("usage: %s (in the root of the repository)", argv[0]);
    static const char *const roots[] = {"src", "tests", "tools", NULL};
    Names files = {0};
    for (size_t i = 0; roots[i]; i++) {
        Names found = {0};
        host_walk(roots[i], &found);
        for (size_t k = 0; k < found.len; k++)
            names_push(&files, host_format("%s/%s", roots[i], found.v[k]));
    }
    limits_read("tools/limits.allow");
    size_t n_checked = 0;
    for (size_t i = 0; i < files.len; i++) n_checked += check_file(files.v[i]);
    check_names(&files);
    check_tracked();
    limits_end();
    return findings_end("check_style", n_checked);
}
