/* so2obj_test.c -- usage: so2obj_test SO2OBJ CC [EMBEDDED SHARED].
 *
 * Each case is the source of a library and of a program.  The program is run twice, with the
 * library loaded as usual and with what so2obj made of it linked in, and must print the same.  Then
 * come refusals, and a library that is damaged in many ways: so2obj must accept or refuse, never
 * crash. */
#include "test_run.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a)      (sizeof(a) / sizeof((a)[0]))
#define MUTATIONS     1500
#define CONVERT_FLAGS "--base 0x20000000 --prefix img -o img.o --args img.ld --export t_*"

typedef struct {
    const char *name, *lib_flags, *lib, *program;
} Case;

static const char *so2obj, *cc;

static const Case cases[] = {
    {"relative: pointers to own data", "",
     "static int a[3] = {1, 2, 3}; static int *p = a + 2; static const char *const s[] = {\"x\", "
     "\"yz\"};\n"
     "int t_sum(void) { return *p + s[1][1]; }",
     "#include <stdio.h>\nint t_sum(void); int main(void) { printf(\"%d\\n\", t_sum()); }"},
    {"relative, packed (DT_RELR)", "-Wl,-z,pack-relative-relocs",
     "static int a[200]; static int *p[] = {a, a + 1, a + 2, a + 199}; static int **q = p + 3;\n"
     "static char pad[600] = {1}; static char *r[70] = {pad, [65] = pad + 5, [69] = pad};\n"
     "int t_sum(void) { a[199] = 7; return **q + (int)(p[1] - p[0]) + (int)(r[65] - r[0]) + "
     "*r[69]; }",
     "#include <stdio.h>\nint t_sum(void); int main(void) { printf(\"%d\\n\", t_sum()); }"},
    {"64: pointers to the program's data and code, with addends", "",
     "extern int host[4]; extern int twice(int);\n"
     "static int *p = host + 2; static int (*f)(int) = twice; int t_own = 5; int *t_ref = &t_own;\n"
     "int t_get(void) { return f(*p) + *t_ref; }",
     "#include <stdio.h>\nint host[4] = {1, 2, 30, 4}; int twice(int x) { return 2 * x; }\n"
     "int t_get(void); extern int t_own, *t_ref;\n"
     "int main(void) { t_own++; printf(\"%d %d\\n\", t_get(), *t_ref); }"},
    {"GLOB_DAT: variables of the program and of the C library", "",
     "#include <stdio.h>\nextern int host; int t_own = 3;\n"
     "int t_add(int n) { host += n; fputs(\"\", stdout); return host + t_own + (stdout != stderr); "
     "}",
     "#include <stdio.h>\nint host = 10; int t_add(int); extern int t_own;\n"
     "int main(void) { t_own = 4; printf(\"%d %d\\n\", t_add(2), host); }"},
    {"JUMP_SLOT: calls, bound when first made", "-Wl,-z,lazy -O0",
     "#include <string.h>\nint host(int); int t_own(int x) { return x + 1; }\n"
     "int t_call(const char *s) { return host((int)strlen(s)) + t_own(100); }",
     "#include <stdio.h>\nint host(int x) { return 10 * x; } int t_call(const char *);\n"
     "int main(void) { printf(\"%d\\n\", t_call(\"abc\") + t_call(\"\")); }"},
    {"JUMP_SLOT: calls, bound at the start", "-Wl,-z,now -O0",
     "#include <string.h>\nint host(int); int t_own(int x) { return x + 1; }\n"
     "int t_call(const char *s) { return host((int)strlen(s)) + t_own(100); }",
     "#include <stdio.h>\nint host(int x) { return 10 * x; } int t_call(const char *);\n"
     "int main(void) { printf(\"%d\\n\", t_call(\"abc\") + t_call(\"\")); }"},
    {"calls without a jump table, old hash table", "-fno-plt -Wl,--hash-style=sysv",
     "#include <string.h>\nint host(int); int t_own(int x) { return x + 1; }\n"
     "int t_call(const char *s) { return host((int)strlen(s)) + t_own(100); }",
     "#include <stdio.h>\nint host(int x) { return 10 * x; } int t_call(const char *);\n"
     "int main(void) { printf(\"%d\\n\", t_call(\"abcd\")); }"},
    {"jump table with branch protection", "-fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy -O0",
     "#include <string.h>\nint host(int); int t_own(int x) { return x + 1; }\n"
     "int t_call(const char *s) { return host((int)strlen(s)) + t_own(100); }",
     "#include <stdio.h>\nint host(int x) { return 10 * x; } int t_call(const char *);\n"
     "int main(void) { printf(\"%d\\n\", t_call(\"abcd\")); }"},
    {"addresses of functions are the same everywhere", "",
     "#include <string.h>\n#include <stdlib.h>\n"
     "void *t_strlen(void) { return (void *)strlen; } static void *p = (void *)free;\n"
     "void *t_free(void) { return p; } void *t_self(void) { return (void *)t_free; }",
     "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n"
     "void *t_strlen(void), *t_free(void), *t_self(void);\n"
     "int main(void) { printf(\"%d %d %d\\n\", t_strlen() == (void *)strlen,\n"
     "  t_free() == (void *)free, t_self() == (void *)t_free); }"},
    {"zeroed data, page aligned", "",
     "static char big[100000] __attribute__((aligned(4096))); char t_data[5000] = {1}; char "
     "t_zero[9];\n"
     "long t_check(void) { long n = 0; for (int i = 0; i < 100000; i++) n += big[i]; big[99999] = "
     "3;\n"
     "  return n + big[99999] + t_zero[8] + t_data[0] + t_data[4999] + (long)((unsigned long)big % "
     "4096); }",
     "#include <stdio.h>\nlong t_check(void); extern char t_zero[9];\n"
     "int main(void) { t_zero[8] = 20; printf(\"%ld\\n\", t_check()); }"},
    {"thread-local: zeroed, general model", "",
     "__thread int t_x; static __thread long y; __thread char t_z[3];\n"
     "long t_step(void) { t_x++; y += 2; t_z[2]++; return t_x + 100 * y + 10000 * t_z[2]; }",
     "#include <pthread.h>\n#include <stdio.h>\nlong t_step(void); extern __thread int t_x; static "
     "__thread int mine = 9;\n"
     "static void *run(void *p) { t_step(); *(long *)p = t_step() + t_x + mine; return p; }\n"
     "int main(void) { long r = 0; pthread_t t; t_step(); pthread_create(&t, NULL, run, &r);\n"
     "  pthread_join(t, NULL); printf(\"%ld %ld %d\\n\", r, t_step(), mine); }"},
    {"thread-local: with values and pointers", "-O0",
     "extern int host; static int own = 6; __thread int t_x = 40; static __thread int *p = &own;\n"
     "static __thread int *h = &host; static __thread double d[8] __attribute__((aligned(64))) = "
     "{2.5};\n"
     "__thread char t_tail[3000];\n"
     "int t_step(void) { t_tail[2999]++; return ++t_x + ++*p + *h + (int)(d[0] * 2) + t_tail[2999] "
     "+\n"
     "  (int)((unsigned long)d % 64); }",
     "#include <pthread.h>\n#include <stdio.h>\nint host = 1000; int t_step(void); __thread int "
     "mine = 5;\n"
     "static void *run(void *p) { t_step(); *(int *)p = t_step(); return p; }\n"
     "int main(void) { int r = 0; pthread_t t; t_step(); pthread_create(&t, NULL, run, &r);\n"
     "  pthread_join(t, NULL); printf(\"%d %d %d\\n\", r, t_step(), mine); }"},
    {"thread-local: local model, program has some too", "-ftls-model=local-dynamic -O2",
     "static __thread int a, b = 7; static __thread long c[4]; static __thread int d = 9;\n"
     "long t_step(int k) { a += k; b += k; c[k & 3] += 2; d--; return a + 10 * b + c[1] + c[3] + "
     "d; }",
     "#include <stdio.h>\nlong t_step(int); __thread int mine[10] = {1}; __thread long more;\n"
     "int main(void) { mine[9] = 3; more = 5; t_step(1); printf(\"%ld %d %ld %d\\n\", t_step(3), "
     "mine[9],\n"
     "  more, mine[0]); }"},
    {"thread-local: fixed distance (TPOFF64)", "-ftls-model=initial-exec",
     "static __thread int a, b = 7; __thread int t_c = 1; extern __thread int host;\n"
     "int t_step(void) { a++; b += 2; t_c += 3; return a + 10 * b + 100 * t_c + 1000 * host; }",
     "#include <stdio.h>\nint t_step(void); __thread int host = 4; extern __thread int t_c;\n"
     "int main(void) { t_step(); printf(\"%d %d\\n\", t_step(), t_c); }"},
    {"thread-local: a variable of the program", "",
     "extern __thread int host; int *t_at(void) { return &host; } int t_inc(void) { return ++host; "
     "}",
     "#include <stdio.h>\n__thread int host = 4; int *t_at(void); int t_inc(void);\n"
     "int main(void) { printf(\"%d %d %d\\n\", t_inc(), host, t_at() == &host); }"},
    {"weak symbols, there and absent", "",
     "extern int absent_data __attribute__((weak)); int absent(void) __attribute__((weak));\n"
     "int host(void) __attribute__((weak)); int t_soft(void) __attribute__((weak));\n"
     "int t_soft(void) { return 3; } static int (*p)(void) = absent, (*q)(void) = host;\n"
     "int t_get(void) { return (absent ? 1 : 0) + (&absent_data ? 2 : 0) + (p ? 4 : 0) +\n"
     "  (host ? host() : 0) + (q ? q() : 0) + t_soft(); }",
     "#include <stdio.h>\nint host(void) { return 100; } int t_get(void);\n"
     "int main(void) { printf(\"%d\\n\", t_get()); }"},
    {"initialisers and finalisers, in order", "-Wl,-init,t_first -Wl,-fini,t_last",
     "#include <stdio.h>\nstatic int n; void t_first(void) { n = 1; }\n"
     "void t_last(void) { puts(\"last\"); fflush(stdout); }\n"
     "__attribute__((constructor(200))) static void a(void) { n = n * 10 + 2; }\n"
     "__attribute__((constructor(300))) static void b(void) { n = n * 10 + 3; }\n"
     "void t_named(int argc, char **argv) { n = n * 10 + (argv && argc == 1 ? 4 : 9); }\n"
     "__attribute__((section(\".init_array\"), used)) static void (*p)(int, char **) = t_named;\n"
     "__attribute__((destructor(200))) static void c(void) { puts(\"second\"); }\n"
     "__attribute__((destructor(300))) static void d(void) { puts(\"first\"); }\n"
     "int t_get(void) { return n; }",
     "#include <stdio.h>\nint t_get(void); int main(void) { printf(\"%d\\n\", t_get()); }"},
    {"an initialiser of the program, called for the library", "",
     "extern void host(void); int t_x;\n"
     "__attribute__((section(\".init_array\"), used)) static void (*p)(void) = host;\n",
     "#include <stdio.h>\nextern int t_x; void host(void) { t_x = 8; }\n"
     "int main(void) { printf(\"%d\\n\", t_x); }"},
    {"a symbol with two versions, the default exported", "-Wl,--version-script=two.map",
     "int old(void) { return 1; } int new(void) { return 2; } int t_other(void) { return 3; }\n"
     "__asm__(\".symver old,call@V1\"); __asm__(\".symver new,call@@V2\");",
     "#include <stdio.h>\nint t_other(void); int main(void) { printf(\"%d\\n\", t_other()); }"},
};

/* Compiles `source` as a library, lib.so. */
static bool make_lib(const char *test, const char *source, const char *flags)
{
    Output out;
    test_write_text("lib.c", source);
    test_write_text("two.map", "V1 { global: t_*; call; local: *; }; V2 { global: call; } V1;\n");
    test_run(&out, "%s -w -shared -fPIC -O1 -o lib.so lib.c %s", cc, flags);
    test_check(out.code == 0, test, "the library can be compiled", &out);
    return out.code == 0;
}

static bool convert(const char *test, const char *flags)
{
    Output out;
    test_run(&out, "%s " CONVERT_FLAGS " %s lib.so", so2obj, flags);
    test_check(out.code == 0 && !out.text[0], test, "the library is converted", &out);
    return out.code == 0;
}

/* Links main.o with the object and runs the result. */
static void run_embedded(const char *test, const char *link_flags, Output *ret)
{
    Output out;
    test_run(&out, "%s -no-pie -o embedded main.o img.o @img.ld %s -pthread", cc, link_flags);
    test_check(out.code == 0 && !out.text[0], test, "the object can be linked", &out);
    test_run(ret, "./embedded");
}

static void run_case(const Case *c)
{
    Output out, loaded, embedded;
    if (!make_lib(c->name, c->lib, c->lib_flags)) return;
    test_write_text("main.c", c->program);
    test_run(&out, "%s -w -O1 -fno-pie -c -o main.o main.c", cc);
    test_check(out.code == 0, c->name, "the program can be compiled", &out);
    test_run(&out, "%s -no-pie -o loaded main.o ./lib.so -pthread", cc);
    test_check(out.code == 0, c->name, "the program can be linked with the library", &out);
    test_run(&loaded, "./loaded");
    test_check(loaded.code == 0 && loaded.text[0], c->name, "runs with the library", &loaded);
    if (!convert(c->name, "")) return;
    run_embedded(c->name, "", &embedded);
    bool is_same = embedded.code == loaded.code && strcmp(embedded.text, loaded.text) == 0;
    test_check(is_same, c->name, "prints the same with the object", &embedded);
    run_embedded(c->name, "-Wl,--gc-sections", &embedded);
    is_same = embedded.code == loaded.code && strcmp(embedded.text, loaded.text) == 0;
    test_check(is_same, c->name, "prints the same after unused sections were dropped", &embedded);
}

static void expect_refusal(const char *test, const char *flags, const char *message)
{
    Output out;
    test_run(&out, "%s " CONVERT_FLAGS " %s", so2obj, flags);
    bool ok = out.code == 1 && strncmp(out.text, "so2obj: error: ", 15) == 0;
    test_check(ok && strstr(out.text, message), test, message, &out);
}

static void expect_lib_refused(const char *test, const char *lib_flags, const char *source,
                               const char *message)
{
    if (make_lib(test, source, lib_flags)) expect_refusal(test, "lib.so", message);
}

static void test_refused_sources(void)
{
    expect_lib_refused(
        "indirect function", "",
        "static int f(void) { return 1; } static void *pick(void) { return f; }\n"
        "int t_f(void) __attribute__((ifunc(\"pick\"))); int t_g(void) { return t_f(); }",
        "ifunc");
    expect_lib_refused("indirect function, local", "",
                       "static int f(void) { return 1; } static void *pick(void) { return f; }\n"
                       "static int g(void) __attribute__((ifunc(\"pick\")));\n"
                       "int t_g(void) { return g(); }",
                       "IRELATIVE");
    expect_lib_refused("descriptors of thread-local variables", "-mtls-dialect=gnu2",
                       "__thread int t_x; int t_f(void) { return ++t_x; }", "-mtls-dialect=gnu");
    expect_lib_refused("two versions needed", "dep.so",
                       "int a(void), b(void); __asm__(\".symver a,call@V1\");\n"
                       "__asm__(\".symver b,call@V2\"); int t_f(void) { return a() + b(); }",
                       "needs call in two versions");
    expect_lib_refused("two versions exported", "-Wl,--version-script=vers.map",
                       "int a(void) { return 1; } int b(void) { return 2; }\n"
                       "__asm__(\".symver a,t_call@V1\"); __asm__(\".symver b,t_call@@V2\");",
                       "defines t_call in more than one version");
}

static void make_dep(void)
{
    Output out;
    test_write_text("vers.map",
                    "V1 { global: call; t_call; local: *; }; V2 { global: call; t_call; } V1;\n");
    test_write_text("dep.c", "int a(void) { return 1; } int b(void) { return 2; }\n"
                             "__asm__(\".symver a,call@V1\"); __asm__(\".symver b,call@@V2\");");
    test_run(&out,
             "%s -w -shared -fPIC -Wl,-soname,dep.so -Wl,--version-script=vers.map "
             "-o dep.so dep.c",
             cc);
    test_check(out.code == 0, "versions", "the library can be compiled", &out);
}

static void test_versions(void)
{
    Output out;
    make_dep();
    if (make_lib("default version", "int call(void); int t_f(void) { return call(); }", "dep.so")) {
        test_run(&out, "%s " CONVERT_FLAGS " --check-versions dep.so lib.so", so2obj);
        test_check(out.code == 0, "default version", "accepted", &out);
        expect_refusal("forbidden", "--forbid call lib.so", "needs call, which --forbid");
    }
    if (make_lib("old version",
                 "int a(void); __asm__(\".symver a,call@V1\"); int t_f(void) { return a(); }",
                 "dep.so")) {
        expect_refusal("old version", "--check-versions dep.so lib.so",
                       "needs call in version V1 of dep.so");
    }
}

static void test_stubs(void)
{
    Output out;
    test_write_text("other.c",
                    "int other_call(void) { return 1; } int other_unused(void) { return 2; }");
    test_run(&out, "%s -shared -fPIC -w -o other.so other.c", cc);
    if (!make_lib("stubs", "int other_call(void); int t_f(int n) { return n ? other_call() : 5; }",
                  ""))
        return;
    if (!convert("stubs", "--stubs stubs.c --stub-from other.so")) return;
    test_write_text("main.c", "#include <stdio.h>\nint t_f(int); int main(int c, char **v)\n"
                              "{ printf(\"%d\\n\", t_f(c > 1)); return 0; }");
    test_run(&out, "%s -w -fno-pie -no-pie -o embedded main.c stubs.c img.o @img.ld", cc);
    test_check(out.code == 0, "stubs", "the object can be linked", &out);
    test_run(&out, "./embedded");
    test_check(out.code == 0 && strcmp(out.text, "5\n") == 0, "stubs", "not called", &out);
    test_run(&out, "./embedded now");
    test_check(out.code == -6 && strstr(out.text, "cob: internal error: stub other_call called\n"),
               "stubs", "a stub that is called says its name and aborts", &out);
    test_run(&out, "%s -w -c -o stubs.o stubs.c", cc);
    test_check(out.code == 0, "stubs", "compiles", &out);
    size_t size = 0;
    char *text = (char *)test_read("stubs.c", &size);
    text[size] = 0;
    test_check(!strstr(text, "other_unused"), "stubs", "only what is needed gets one", NULL);
    free(text);
    expect_refusal("stubs", "--stubs stubs.c --stub-from absent.so lib.so",
                   "absent.so: cannot be opened");
    if (make_lib("stubs for data", "extern int other_data; int t_f(void) { return other_data; }",
                 "")) {
        test_write_text("other.c", "int other_data = 1;");
        test_run(&out, "%s -shared -fPIC -o other.so other.c", cc);
        expect_refusal("stubs for data", "--stubs stubs.c --stub-from other.so lib.so",
                       "which is data");
    }
}

/* What --verbose says, with the numbers of the code shortener. */
static void test_shortening(void)
{
    Output out;
    if (!make_lib("shorter code",
                  "#include <stdlib.h>\n__thread int t_x; __thread int t_y; int t_g(int x) { "
                  "return x; }\n"
                  "int t_f(void) { return atoi(\"1\") + t_x + t_g(t_y); }",
                  "-O0 -Wl,-z,lazy"))
        return;
    test_run(&out, "%s " CONVERT_FLAGS " --verbose lib.so", so2obj);
    test_check(out.code == 0 && strstr(out.text, " 3 jumps, 2 tls"), "shorter code",
               "every jump and every thread-local access", &out);
}

/* Whether the file has the text. */
static bool file_has(const char *name, const char *text)
{
    size_t size = 0;
    char *data = (char *)test_read(name, &size);
    data[size] = 0;
    bool found = strstr(data, text) != NULL;
    free(data);
    return found;
}

static void test_dropped_tables(void)
{
    static const char lib[] = "int t_f(void) { return 4; }";
    Output out;
    test_write_text("main.c",
                    "int t_f(void); extern char img_image_start[], img_image_end[];\n"
                    "int main(void) { return t_f() + (img_image_start != (char *)0x20000000) +\n"
                    "  (img_image_end <= img_image_start); }");
    test_run(&out, "%s -w -fno-pie -c -o main.o main.c", cc);
    if (!make_lib("loader tables", lib, "-Wl,-z,separate-code") || !convert("loader tables", ""))
        return;
    test_check(!file_has("img.ld", ".img.0="), "loader tables", "are left out", NULL);
    run_embedded("loader tables", "", &out);
    test_check(out.code == 4, "loader tables", "the program runs without them", &out);

    /* Without section headers nobody knows what a segment holds: it stays. */
    size_t size = 0;
    unsigned char *data = test_read("lib.so", &size);
    memset(data + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
    memset(data + offsetof(Elf64_Ehdr, e_shnum), 0, 2);
    test_write("lib.so", data, size);
    free(data);
    if (!convert("no section headers", "")) return;
    test_check(file_has("img.ld", ".img.0="), "no section headers", "nothing is left out", NULL);
    run_embedded("no section headers", "", &out);
    test_check(out.code == 4, "no section headers", "the program runs", &out);
}

static void test_missing_arguments(void)
{
    Output out;
    if (!make_lib("link arguments", "int t_f(void) { return 1; }", "")) return;
    if (!convert("link arguments", "")) return;
    test_write_text("main.c", "int t_f(void); int main(void) { return t_f() - 1; }");
    test_run(&out, "%s -fno-pie -no-pie -w -o embedded main.c img.o", cc);
    test_check(out.code != 0 && strstr(out.text, "so2obj_img_needs_its_link_arguments"),
               "link arguments", "a link without them fails and says so", &out);
}

/* Writes lib.so with `size` bytes replaced at `offset`, as damaged.so. */
static void write_damaged(const unsigned char *data, size_t total, size_t offset, const void *bytes,
                          size_t size)
{
    unsigned char *copy = malloc(total);
    if (!copy) abort();
    memcpy(copy, data, total);
    memcpy(copy + offset, bytes, size);
    test_write("damaged.so", copy, total);
    free(copy);
}

static const char rich_lib[] =
    "#include <stdio.h>\nextern int host; static int own[4]; static int *p[] = {own, own + 3, "
    "&host};\n"
    "__thread int t_x = 4; static __thread int *q = own; int t_y; const char *const t_s[] = "
    "{\"a\", \"b\"};\n"
    "__attribute__((constructor)) static void start(void) { t_y = 1; }\n"
    "int t_f(void) { puts(t_s[1]); return *p[1] + ++t_x + *q + t_y; } int t_g(void) { return "
    "t_f(); }\n"
    "int soft(void) __attribute__((weak)); int t_h(void) { return soft ? soft() : 0; }\n";

static void test_bad_files(void)
{
    const struct {
        const char *what;
        size_t offset;
        const char *bytes;
        size_t size;
    } damages[] = {
        {"is not an ELF file", 0,
         "\x7f"
         "ELG",
         4},
        {"is not a 64-bit", EI_CLASS, "\1", 1},
        {"is not a 64-bit", EI_DATA, "\2", 1},
        {"is for machine 183", offsetof(Elf64_Ehdr, e_machine), "\267\0", 2},
        {"is of ELF type 2", offsetof(Elf64_Ehdr, e_type), "\2\0", 2},
        {"has ELF version 7", offsetof(Elf64_Ehdr, e_version), "\7\0\0\0", 4},
        {"program headers are outside", offsetof(Elf64_Ehdr, e_phoff),
         "\xff\xff\xff\xff\xff\xff\xff\xff", 8},
        {"no usable program headers", offsetof(Elf64_Ehdr, e_phentsize), "\7\0", 2},
        {"no usable program headers", offsetof(Elf64_Ehdr, e_phnum), "\0\0", 2},
    };
    if (!make_lib("bad files", rich_lib, "")) return;
    size_t size = 0;
    unsigned char *data = test_read("lib.so", &size);
    for (size_t i = 0; i < COUNT(damages); i++) {
        write_damaged(data, size, damages[i].offset, damages[i].bytes, damages[i].size);
        expect_refusal("bad file", "damaged.so", damages[i].what);
    }
    test_write("damaged.so", data, 20);
    expect_refusal("short file", "damaged.so", "is too short");
    test_write("damaged.so", data, 64);
    expect_refusal("header only", "damaged.so", "is truncated");
    test_write("damaged.so", data, 4000);
    expect_refusal("cut in the middle", "damaged.so", "is truncated");
    test_write("damaged.so", "", 0);
    expect_refusal("empty file", "damaged.so", "is too short");
    expect_refusal("missing file", "absent.so", "absent.so: cannot be opened: No such file");
    expect_refusal("directory", "/", "is not a regular file");
    free(data);
}

/* The file offset of the first relocation of a library, found through its section headers. */
static size_t find_relocation(const unsigned char *data)
{
    Elf64_Ehdr head;
    memcpy(&head, data, sizeof head);
    for (size_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, data + head.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_RELA) return section.sh_offset;
    }
    return 0;
}

static void test_bad_relocations(void)
{
    const struct {
        uint32_t type;
        const char *message;
    } types[] = {
        {99, "relocation of type 99 at 0x"}, {R_X86_64_COPY, "COPY"},
        {R_X86_64_PC32, "does not know"},    {R_X86_64_TLSDESC, "TLSDESC"},
        {R_X86_64_IRELATIVE, "IRELATIVE"},
    };
    size_t size = 0;
    unsigned char *data = test_read("lib.so", &size);
    size_t at = find_relocation(data);
    test_check(at != 0, "bad relocations", "the library has some", NULL);
    for (size_t i = 0; i < COUNT(types); i++) {
        write_damaged(data, size, at + offsetof(Elf64_Rela, r_info), &types[i].type, 4);
        expect_refusal("bad relocation", "damaged.so", types[i].message);
    }
    uint64_t far = 0x12345678;
    write_damaged(data, size, at + offsetof(Elf64_Rela, r_offset), &far, sizeof far);
    expect_refusal("bad relocation", "damaged.so",
                   "relocates 0x12345678, which is not in the file");
    free(data);
}

static void test_bad_options(void)
{
    const struct {
        const char *flags, *message;
    } bad[] = {
        {"", "no input"},
        {"lib.so lib.so", "more than one input"},
        {"--frob 1 lib.so", "unknown option --frob"},
        {"lib.so --stubs", "no value for --stubs"},
        {"--base 4097 lib.so", "must be a multiple of 4096"},
        {"--base 0x7ffff000 lib.so", "choose a lower --base"},
        {"--base 0xfffffffffffff000 lib.so", "choose a lower --base"},
        {"--base 12z lib.so", "not an address: 12z"},
        {"--prefix 1a lib.so", "not a usable --prefix"},
        {"--prefix a-b lib.so", "not a usable --prefix"},
        {"--export-file absent lib.so", "absent: cannot be opened"},
        {"-o /nowhere/x.o lib.so", "/nowhere/x.o.tmp: cannot be created"},
        {"--args /nowhere/x.ld lib.so", "/nowhere/x.ld: cannot be created"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) expect_refusal("options", bad[i].flags, bad[i].message);
    Output out;
    test_run(&out, "%s --help", so2obj);
    test_check(out.code == 0 && strstr(out.text, "--check-versions"), "options", "--help", &out);
}

static void test_export_file(void)
{
    Output out;
    if (!make_lib("export file", "int t_a(void) { return 1; } int u_b(void) { return 2; }", ""))
        return;
    test_write_text("exports", "# a comment with t_*\n  u_b   # another\n\nx*\n");
    test_run(&out,
             "%s --base 0x20000000 --prefix img -o img.o --args img.ld --verbose --export-file "
             "exports lib.so",
             so2obj);
    test_check(out.code == 0 && strstr(out.text, " 1 exports"), "export file", "one symbol", &out);
}

/* The same every time: the tests must not depend on luck. */
static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Overwrites up to 8 places, most of them in the tables, with values that are often wrong. */
static void mutate(unsigned char *data, size_t size, uint64_t *state)
{
    static const uint64_t values[] = {
        0,          1,          2,          0x7f,       0xff,           0x1000,
        0x7fffffff, 0x80000000, UINT32_MAX, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63,
        0x3000,     24};
    uint32_t n = 1 + next_random(state) % 8;
    for (uint32_t i = 0; i < n; i++) {
        size_t range = next_random(state) % 4 ? (size < 0xa00 ? size : 0xa00) : size;
        size_t at = next_random(state) % range;
        size_t width = (size_t)1 << next_random(state) % 4;
        uint64_t value = values[next_random(state) % COUNT(values)];
        if (next_random(state) % 2) at -= at % width;
        if (next_random(state) % 3 == 0) {
            data[at] ^= (unsigned char)(1u << next_random(state) % 8);
        } else if (width <= size - at) {
            memcpy(data + at, &value, width);
        }
    }
}

static void test_mutations(void)
{
    static const char *const flags[] = {
        "", "-Wl,-z,pack-relative-relocs -Wl,--hash-style=sysv",
        "-Wl,--version-script=two.map -mtls-dialect=gnu -Wl,-z,now"};
    uint64_t state = 2026;
    Output out;
    int n_bad = 0, n_accepted = 0;
    for (size_t k = 0; k < COUNT(flags); k++) {
        if (!make_lib("mutations", rich_lib, flags[k])) continue;
        size_t size = 0;
        unsigned char *data = test_read("lib.so", &size), *copy = malloc(size);
        for (int i = 0; copy && i < MUTATIONS / (int)COUNT(flags); i++) {
            memcpy(copy, data, size);
            mutate(copy, size, &state);
            test_write("damaged.so", copy, size);
            test_run(&out,
                     "%s " CONVERT_FLAGS " --stubs stubs.c --stub-from damaged.so --check-versions "
                     "damaged.so damaged.so",
                     so2obj);
            bool is_refusal = out.code == 1 && strncmp(out.text, "so2obj: error: ", 15) == 0;
            if (out.code == 0 && !out.text[0])
                n_accepted++;
            else if (!is_refusal && n_bad++ < 3)
                test_check(false, "mutations", "accepts or refuses", &out);
        }
        free(data);
        free(copy);
    }
    test_check(n_bad == 0, "mutations", "none crashes so2obj", NULL);
    test_check(n_accepted > 0 && n_accepted < MUTATIONS, "mutations", "some pass, some do not",
               NULL);
}

/* The engine, linked in both ways. */
static void test_engine(const char *embedded, const char *shared)
{
    Output out, other;
    test_run(&out, "%s", embedded);
    test_check(out.code == 0 && strstr(out.text, "done\n"), "engine", "runs embedded", &out);
    test_run(&other, "%s", shared);
    test_check(other.code == 0, "engine", "runs as a shared library", &other);
    test_check(strcmp(out.text, other.text) == 0, "engine", "prints the same in both", &other);
    test_run(&out, "%s frames", embedded);
    test_check(out.code == 0, "engine", "its native frames can be unwound", &out);
    /* What ldd does. */
    (void)setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    test_run(&out, "%s", embedded);
    (void)unsetenv("LD_TRACE_LOADED_OBJECTS");
    int n_libs = 0;
    for (const char *p = out.text; (p = strstr(p, ".so")) != NULL; p++) n_libs += p[3] == '.';
    bool is_small = strstr(out.text, "libc.so.6") && strstr(out.text, "libm.so.6") &&
                    strstr(out.text, "ld-linux-x86-64.so.2");
    /* Lines: vdso, libc (twice: name and path), libm (twice), the loader. */
    test_check(is_small && n_libs == 6, "engine", "needs libc, libm and the loader only", &out);
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5) {
        (void)fprintf(stderr, "usage: so2obj_test SO2OBJ CC [EMBEDDED SHARED]\n");
        return 2;
    }
    so2obj = realpath(argv[1], NULL);
    cc = argv[2];
    const char *embedded = argc == 5 ? realpath(argv[3], NULL) : NULL;
    const char *shared = argc == 5 ? realpath(argv[4], NULL) : NULL;
    if (!so2obj || (argc == 5 && (!embedded || !shared))) {
        perror("so2obj_test: a program to test");
        return 2;
    }
    test_begin();
    if (embedded) test_engine(embedded, shared);
    for (size_t i = 0; i < COUNT(cases); i++) run_case(&cases[i]);
    test_versions();
    test_refused_sources();
    test_stubs();
    test_missing_arguments();
    test_shortening();
    test_dropped_tables();
    test_export_file();
    test_bad_files();
    test_bad_relocations();
    test_bad_options();
    test_mutations();
    return test_end();
}
