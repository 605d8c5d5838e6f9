/* cli/cli_init.c -- `cob init`: the files of a new project.  What exists is kept; package.json gets
 * only what it lacks. */
#include "cli/cli.h"
#include "sys/sys.h"
#include "util/err.h"
#include "util/json_edit.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

enum { PACKAGE_MAX = 16 * 1024 * 1024 };

typedef struct {
    bool yes, minimal;
} InitOptions;

#define FLAG(name, letter, kind, field, value, help)                                               \
    CLI_FLAG(name, letter, kind, InitOptions, field, value, help)

static const CliFlag flags[] = {
    FLAG("yes", 'y', CLI_BOOL, yes, NULL, "Ask nothing"),
    FLAG("minimal", 'm', CLI_BOOL, minimal, NULL, "Only package.json and tsconfig.json"),
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "dir", "Change to this folder first"),
    CLI_NO_FIELD("react", 'r', CLI_LATER, NULL, NULL),
};

static const char TSCONFIG[] = "{\n"
                               "  \"compilerOptions\": {\n"
                               "    // What runs: current syntax, types of the runtime\n"
                               "    \"target\": \"ESNext\",\n"
                               "    \"lib\": [\"ESNext\"],\n"
                               "    \"types\": [\"bun\"],\n"
                               "    \"module\": \"Preserve\",\n"
                               "    \"moduleResolution\": \"bundler\",\n"
                               "    \"moduleDetection\": \"force\",\n"
                               "    \"jsx\": \"react-jsx\",\n"
                               "    \"allowJs\": true,\n"
                               "\n"
                               "    // Files run as they are: nothing is emitted\n"
                               "    \"noEmit\": true,\n"
                               "    \"allowImportingTsExtensions\": true,\n"
                               "    \"verbatimModuleSyntax\": true,\n"
                               "\n"
                               "    // How much is checked\n"
                               "    \"strict\": true,\n"
                               "    \"skipLibCheck\": true,\n"
                               "    \"noFallthroughCasesInSwitch\": true,\n"
                               "    \"noUncheckedIndexedAccess\": true,\n"
                               "    \"noImplicitOverride\": true,\n"
                               "    \"noUnusedLocals\": false,\n"
                               "    \"noUnusedParameters\": false,\n"
                               "    \"noPropertyAccessFromIndexSignature\": false\n"
                               "  }\n"
                               "}\n";

static const char GITIGNORE[] = "# installed packages\n"
                                "node_modules\n"
                                "\n"
                                "# what is built\n"
                                "dist\n"
                                "out\n"
                                "*.tgz\n"
                                "*.tsbuildinfo\n"
                                "\n"
                                "# reports and caches\n"
                                "coverage\n"
                                "*.lcov\n"
                                "logs\n"
                                "*.log\n"
                                ".cache\n"
                                ".eslintcache\n"
                                "\n"
                                "# secrets and settings of this machine\n"
                                ".env\n"
                                ".env.local\n"
                                ".env.*.local\n"
                                ".idea\n"
                                ".DS_Store\n";

static bool exists(const char *path)
{
    SysStat st;
    return sys_lstat(str_z(path), &st) == 0;
}

static bool write_new(const char *path, Str text)
{
    if (exists(path)) return true;
    int rc = sys_write_file_atomic(str_z(path), text, 0);
    if (rc < 0) {
        cli_error("cannot write \"%s\": %s", path, err_text(rc));
        return false;
    }
    (void)printf(" + %s\n", path);
    return true;
}

/* A name that a package may have, made from the folder's. */
static Str name_from_folder(Arena *a)
{
    Str cwd = S("/");
    (void)!sys_cwd(a, &cwd);
    Str base = path_basename(cwd, S(""));
    char *name = arena_alloc(a, base.n + 1, 1);
    usize n = 0;
    for (usize i = 0; i < base.n; i++) {
        char c = base.p[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c | 0x20);
        bool is_fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       (n && (c == '-' || c == '_' || c == '.'));
        if (is_fine)
            name[n++] = c;
        else if (n && name[n - 1] != '-')
            name[n++] = '-';
    }
    while (n && name[n - 1] == '-') n--;
    return n ? (Str){name, n} : S("project");
}

static const char *find_entry(void)
{
    static const char *const names[] = {"index.ts",  "index.tsx", "index.js",
                                        "index.jsx", "index.mjs", "index.mts"};
    for (u32 i = 0; i < COUNT(names); i++)
        if (exists(names[i])) return names[i];
    return NULL;
}

typedef struct {
    const char *group, *key; /* `group` NULL: at the top */
    Str value;
    bool is_minimal; /* also with --minimal */
} Member;

static Str quoted(Arena *a, Str s)
{
    AUTO(Buf) b = {0};
    json_write_str(&b, s);
    return str_dup(a, buf_str(&b));
}

static bool add_member(Arena *a, const Member *m, Str *text)
{
    JsonNode root;
    JsonError e;
    Str keys[] = {str_z(m->group), str_z(m->key)};
    bool is_top = !m->group;
    if (!json_parse(a, *text, JSON_JSONC, &root, &e)) {
        cli_error("package.json:%u:%u: %s", e.line, e.column, e.what);
        return false;
    }
    const JsonNode *parent = is_top ? &root : json_find(&root, keys[0]);
    if (json_find(parent, keys[1])) return true;
    JsonEdit edit = {.text = *text,
                     .keys = keys + is_top,
                     .n_keys = is_top ? 1 : 2,
                     .value = m->value,
                     .order = is_top ? JSON_EDIT_LAST : JSON_EDIT_SORTED};
    if (json_edit_set(a, &edit, text, &e)) return true;
    cli_error("package.json:%u:%u: %s", e.line, e.column, e.what);
    return false;
}

static bool write_package(Arena *a, bool is_minimal, const char *entry)
{
    bool is_new = !exists("package.json");
    Str name = quoted(a, name_from_folder(a)), text = {0};
    if (is_new) {
        text = is_minimal
                   ? S("{\n  \"devDependencies\": {\n    \"@types/bun\": \"latest\"\n  }\n}\n")
                   : str_fmt(a, "{\n  \"name\": %.*s\n}\n", STR_ARG(name));
    } else {
        int rc = sys_read_file(a, S("package.json"), PACKAGE_MAX, &text);
        if (rc < 0) {
            cli_error("cannot read \"package.json\": %s", err_text(rc));
            return false;
        }
    }
    const Member members[] = {
        {NULL, "name", name, false},
        {NULL, "module", quoted(a, str_z(entry)), false},
        {NULL, "type", S("\"module\""), false},
        {NULL, "private", S("true"), false},
        {"devDependencies", "@types/bun", S("\"latest\""), true},
        {"peerDependencies", "typescript", S("\"^5\""), false},
    };
    Str before = is_new ? S("") : text;
    for (u32 i = 0; i < COUNT(members); i++) {
        if (is_minimal && !members[i].is_minimal) continue;
        if (!add_member(a, &members[i], &text)) return false;
    }
    if (str_eq(before, text)) return true;
    int rc = sys_write_file_atomic(S("package.json"), text, 0);
    if (rc < 0) cli_error("cannot write \"package.json\": %s", err_text(rc));
    if (rc == 0 && is_new) (void)printf(" + package.json\n");
    return rc == 0;
}

static Str readme(Cli *cli, const char *entry)
{
    const char *own = cli_own_name(cli);
    return str_fmt(cli->arena,
                   "# %.*s\n\nInstall the packages:\n\n```sh\n%s install\n```\n\nRun it:\n\n```sh\n"
                   "%s run %s\n```\n",
                   STR_ARG(name_from_folder(cli->arena)), own, own, entry);
}

static bool enter_folder(Str path)
{
    int rc = sys_mkdir_all(path, 0777, NULL);
    if (rc == 0) rc = sys_chdir(path);
    if (rc < 0) cli_error("cannot use the folder \"%.*s\": %s", STR_ARG(path), err_text(rc));
    return rc == 0;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const InitOptions *o = options;
    if (n_operands > 1) {
        cli_error("init takes one folder, got %u", n_operands);
        return 1;
    }
    if (n_operands && !enter_folder(operands[0])) return 1;
    const char *found = find_entry(), *entry = found ? found : "index.ts";
    bool ok =
        write_package(cli->arena, o->minimal, entry) && write_new("tsconfig.json", str_z(TSCONFIG));
    if (ok && !o->minimal)
        ok = write_new(".gitignore", str_z(GITIGNORE)) &&
             (found || write_new(entry, S("console.log(\"Hello from Cob!\");\n"))) &&
             write_new("README.md", readme(cli, entry));
    if (!ok) return 1;
    const char *own = cli_own_name(cli);
    if (!o->minimal) {
        (void)printf("\nTo get started, run:\n\n");
        if (n_operands) (void)printf("    cd %.*s\n", STR_ARG(operands[0]));
        (void)printf("    %s install\n    %s run %s\n\n", own, own, entry);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

const CliCommand cli_init_command = {
    .name = "init",
    .args = "[folder]",
    .summary = "Start a project: package.json, tsconfig.json and a first file",
    .example = "  cob init\n  cob init -y my-app",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(InitOptions),
    .run = run,
};
