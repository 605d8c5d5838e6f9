/* runtime/modules_kind.c -- what a file is as a module: by the attribute of its import, by the
 * `loader` table of the configuration, by its ending. */
#include "runtime/modules.h"

#include "util/path.h"

typedef struct {
    const char *name;
    u8 kind; /* ModuleKind; MODULE_ESM: the text decides */
    const char *data;
} Loader;

static const Loader loaders[] = {
    {"js", MODULE_ESM, NULL},        {"jsx", MODULE_ESM, NULL},       {"ts", MODULE_ESM, NULL},
    {"tsx", MODULE_ESM, NULL},       {"mjs", MODULE_ESM, NULL},       {"cjs", MODULE_ESM, NULL},
    {"mts", MODULE_ESM, NULL},       {"cts", MODULE_ESM, NULL},       {"json", MODULE_JSON, NULL},
    {"jsonc", MODULE_DATA, "jsonc"}, {"json5", MODULE_DATA, "json5"}, {"toml", MODULE_DATA, "toml"},
    {"yaml", MODULE_DATA, "yaml"},   {"text", MODULE_TEXT, NULL},     {"txt", MODULE_TEXT, NULL},
    {"bytes", MODULE_BYTES, NULL},   {"file", MODULE_FILE, NULL},     {"wasm", MODULE_FILE, NULL},
    {"css", MODULE_CSS, NULL},       {"xml", MODULE_DATA, "xml"},     {"html", MODULE_HTML, NULL},
    {"napi", MODULE_CJS, NULL},
};

static const struct {
    const char *ending, *loader;
} endings[] = {
    {".js", "js"},       {".mjs", "mjs"},     {".cjs", "cjs"},     {".ts", "ts"},
    {".mts", "mts"},     {".cts", "cts"},     {".tsx", "tsx"},     {".jsx", "jsx"},
    {".json", "json"},   {".jsonc", "jsonc"}, {".json5", "json5"}, {".toml", "toml"},
    {".yaml", "yaml"},   {".yml", "yaml"},    {".txt", "text"},    {".css", "css"},
    {".wasm", "wasm"},   {".node", "napi"},   {".html", "html"},   {".md", "md"},
    {".markdown", "md"}, {".xml", "xml"},
};

/* Endings of files that hold no code, whoever asks for them. */
static const char *const assets[] = {
    ".svg", ".png",  ".jpg",   ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp",
    ".mp3", ".mp4",  ".webm",  ".ogg",  ".wav", ".pdf",  ".zip",  ".gz",  ".tar",
    ".bin", ".woff", ".woff2", ".ttf",  ".otf", ".eot",  ".sh",   ".sql", ".map",
};

static const Loader *find_loader(Str name)
{
    for (u32 i = 0; i < COUNT(loaders); i++)
        if (str_eq(name, str_z(loaders[i].name))) return &loaders[i];
    return NULL;
}

/* "ending:loader" of the configuration; an empty Str when there is none. */
static Str configured(const Vm *vm, Str ending)
{
    for (u32 i = 0; i < vm->options->n_loaders; i++) {
        Str head, rest;
        if (str_cut(vm->options->loaders[i], ':', &head, &rest) && str_eq(head, ending))
            return rest;
    }
    return S("");
}

/* Files in which comments are usual although they are called .json. */
static bool has_comments(Str path)
{
    Str name = str_skip(path, (usize)(str_rfind(path, '/') + 1));
    return str_eq(name, S("package.json")) || str_eq(name, S("tsconfig.json")) ||
           str_eq(name, S("jsconfig.json")) ||
           (str_starts(name, S("tsconfig.")) && str_ends(name, S(".json")));
}

Str module_loader_of(const Vm *vm, Str path, bool is_required)
{
    Str ending = path_extname(path), own = configured(vm, ending);
    if (own.n) return own;
    if (has_comments(path)) return S("jsonc");
    for (u32 i = 0; i < COUNT(endings); i++)
        if (str_eq(ending, str_z(endings[i].ending))) return str_z(endings[i].loader);
    for (u32 i = 0; i < COUNT(assets); i++)
        if (str_eq(ending, str_z(assets[i]))) return S("file");
    return ending.n && !is_required ? S("file") : S("js");
}

static bool throw_loader(Vm *vm, Str path, Str name, bool is_attribute)
{
    static const char *const later[] = {"sqlite", "md", "macro"};
    Js *js = vm->js;
    for (u32 i = 0; i < COUNT(later); i++) {
        if (!str_eq(name, str_z(later[i]))) continue;
        js_throw_error(js, "not implemented: %s (%.*s)", later[i], STR_ARG(path));
        return false;
    }
    js_throw_type_error(js, "%s \"%.*s\" is not known (%.*s)",
                        is_attribute ? "Import attribute \"type\" with value" : "Loader",
                        STR_ARG(name), STR_ARG(path));
    JsVal error = js_catch(js);
    if (js_set(js, error, "code", js_str(js, S("ERR_IMPORT_ATTRIBUTE_UNSUPPORTED"))))
        js_throw(js, error);
    return false;
}

bool module_kind_of(VmModule *m, Str type, bool is_required)
{
    Str name = type.n ? type : module_loader_of(m->vm, m->path, is_required);
    const Loader *l = find_loader(name);
    if (!l) return throw_loader(m->vm, m->path, name, type.n > 0);
    m->kind = (ModuleKind)l->kind;
    if (l->data) m->data = str_z(l->data);
    return true;
}
