/* tools/check/style_words.c -- library functions that house style bans, and what to use instead. */
#include <string.h>

#include "check/findings.h"
#include "check/style.h"

typedef struct {
    const char *words;  /* with a blank before and after each */
    const char *except; /* beginnings of paths that may, each with a blank before and after */
    bool tests, tools;  /* may *_test.c and tests/, may tools/? */
    const char *instead;
} Ban;

static const Ban bans[] = {
    {" strcpy strcat strncpy strncat sprintf vsprintf gets strtok stpcpy ", "", false, false,
     "use Str and Buf (util/str.h, util/buf.h)"},
    {" atoi atol atoll atof strtol strtoul strtoll strtoull ", " src/util/ ", false, true,
     "parse a Str (util/str.h)"},
    {" malloc calloc realloc reallocarray free strdup strndup asprintf vasprintf ",
     " src/util/ src/sys/ ", true, true, "use an arena of the right lifetime, or x_new and x_free"},
    {" printf vprintf fprintf vfprintf puts fputs putchar fputc putc perror dprintf ",
     " src/cli/ src/runner/ src/util/bug.c src/util/test.c ", true, true,
     "put it into a Log or a Buf; only cli/ and runner/ print"},
    {" exit abort quick_exit ", " src/cli/ src/util/bug.c src/util/test.c src/main.c ", true, true,
     "return an error, or BUG for a broken invariant"},
    {" open openat creat read pread write pwrite readv writev preadv pwritev lseek stat fstat "
     "lstat "
     "fstatat statx mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat "
     "symlink symlinkat readlink readlinkat opendir fdopendir readdir closedir chmod fchmod chown "
     "fchown lchown truncate ftruncate fsync fdatasync utimensat futimens getcwd chdir fchdir "
     "socket bind listen accept accept4 connect shutdown send sendto sendmsg recv recvfrom recvmsg "
     "sendfile copy_file_range splice socketpair getsockopt setsockopt getsockname getpeername "
     "pipe pipe2 dup dup2 dup3 fork vfork execve execv execvp execl execlp posix_spawn waitpid "
     "wait4 kill ioctl fcntl flock fopen fdopen fclose fread fwrite fseek ftell getaddrinfo "
     "getnameinfo ",
     " src/sys/ src/util/bug.c src/util/test.c ", true, true, "call it through sys/"},
    {" signal ", " ", true, true, "use sys_signal_... (sigaction)"},
    {" localtime gmtime ctime asctime ", "", false, false, "use localtime_r or gmtime_r"},
    {" usleep sleep nanosleep ", " src/sys/ ", true, true, "wait for a condition or a loop timer"},
    {" assert ", "", false, true, "use ASSERT (util/base.h)"},
    {" system popen ", "", true, true, "start a child process through loop/"},
    {" alloca tmpnam mktemp ", "", false, false, "use scratch_begin, or mkostemp in sys/"},
};

#define OWN_MAX 64
static const CTok *own[OWN_MAX];
static size_t n_own;

static bool has_word(const char *words, const CTok *tok)
{
    for (const char *p = words; (p = memmem(p, strlen(p), tok->p, tok->len)); p++) {
        if (p > words && p[-1] == ' ' && p[tok->len] == ' ') return true;
    }
    return false;
}

static const Ban *find_ban(const CTok *tok)
{
    for (size_t i = 0; i < sizeof bans / sizeof *bans; i++) {
        if (has_word(bans[i].words, tok)) return &bans[i];
    }
    return NULL;
}

static bool is_excepted(const Ban *ban, const char *path)
{
    if (has_prefix(path, "tools/")) return ban->tools;
    if (has_prefix(path, "tests/") || has_suffix(path, "_test.c")) return ban->tests;
    for (const char *p = ban->except; *p; p++) {
        size_t len = strcspn(p, " ");
        if (len && !strncmp(path, p, len)) return true;
        p += len;
        if (!*p) break;
    }
    return false;
}

/* A function of that name, or a pointer to one, that the file defines: `name(...) {`, `(*name)(`.
 */
void style_words_own(const CToks *code)
{
    n_own = 0;
    for (size_t i = 1; i + 1 < code->len && n_own < OWN_MAX; i++) {
        const CTok *tok = &code->v[i];
        if (tok->kind != CT_IDENT || !find_ban(tok)) continue;
        bool pointer = ctok_is(tok - 1, "*") && ctok_is(tok + 1, ")");
        if (!pointer && ctok_is(tok + 1, "(")) {
            size_t close = ctok_closing(code, i + 1);
            pointer = close + 1 < code->len && ctok_is(&code->v[close + 1], "{");
        }
        if (pointer) own[n_own++] = tok;
    }
}

static bool is_own(const CTok *tok)
{
    for (size_t i = 0; i < n_own; i++) {
        if (own[i]->len == tok->len && !memcmp(own[i]->p, tok->p, tok->len)) return true;
    }
    return false;
}

/* After a name other than these, `word(` declares something. */
static bool is_call_after(const CTok *before)
{
    if (before->kind != CT_IDENT) return !ctok_is(before, ".") && !ctok_is(before, "->");
    return ctok_is(before, "return") || ctok_is(before, "else") || ctok_is(before, "do");
}

void style_words(const SourceFile *file, const CToks *code, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const CTok *tok = &code->v[i];
        if (tok->kind != CT_IDENT || i + 1 >= code->len || !ctok_is(tok + 1, "(")) continue;
        const Ban *ban = find_ban(tok);
        if (!ban || !is_call_after(tok - 1) || is_own(tok) || is_excepted(ban, file->path))
            continue;
        finding(file->path, tok->line, "%.*s is banned here: %s", (int)tok->len, tok->p,
                ban->instead);
    }
}
