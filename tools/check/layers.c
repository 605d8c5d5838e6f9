/* tools/check/layers.c -- src/LAYERS, and which include it allows. */
#include "check/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/findings.h"

static bool has_name(const Names *names, const char *name, size_t len)
{
    for (size_t i = 0; i < names->len; i++) {
        if (strlen(names->v[i]) == len && !memcmp(names->v[i], name, len)) return true;
    }
    return false;
}

static const Layer *find_folder(const Layers *layers, const char *name, size_t len)
{
    for (size_t i = 0; i < layers->len; i++) {
        const char *folder = layers->v[i].folder;
        if (strlen(folder) == len && !memcmp(folder, name, len)) return &layers->v[i];
    }
    return NULL;
}

const Layer *layers_find(const Layers *layers, const char *path)
{
    const char *slash = strchr(path, '/');
    return slash ? find_folder(layers, path, (size_t)(slash - path)) : NULL;
}

static void add_allowed(const Layers *layers, Layer *layer, const char *word, const char *path)
{
    if (!strcmp(word, "all")) {
        for (size_t i = 0; i < layers->len; i++)
            names_push(&layer->allowed, host_format("%s", layers->v[i].folder));
    } else if (find_folder(layers, word, strlen(word))) {
        names_push(&layer->allowed, host_format("%s", word));
    } else if (strcmp(word, "-") != 0) {
        finding(path, layer->line, "%s may include %s only if that stands above it", layer->folder,
                word);
    }
}

/* FOLDER PREFIX... ALLOWED...: prefixes are the words that end in "_", or one "-". */
static void read_layer(Layers *layers, const char *path, char *text, unsigned line)
{
    Layer layer = {.line = line};
    char *save = NULL, *word = strtok_r(text, " \t", &save);
    if (!word || *word == '#') return;
    layer.folder = host_format("%s", word);
    size_t n = 0;
    while ((word = strtok_r(NULL, " \t", &save))) {
        bool dash_first = !n++ && !strcmp(word, "-");
        if (has_suffix(word, "_"))
            names_push(&layer.prefixes, host_format("%s", word));
        else if (!dash_first)
            add_allowed(layers, &layer, word, path);
    }
    if (find_folder(layers, layer.folder, strlen(layer.folder)))
        finding(path, line, "%s stands here twice", layer.folder);
    layers->v = host_grow(layers->v, layers->len, &layers->cap, sizeof(Layer));
    layers->v[layers->len++] = layer;
}

void layers_read(const char *path, Layers *ret)
{
    Text text = {0};
    if (!host_read(path, &text)) host_die("%s: %s", path, strerror(errno));
    unsigned line = 1;
    char *save = text.p;
    for (char *p; (p = strsep(&save, "\n")); line++) read_layer(ret, path, p, line);
    free(text.p);
}

static size_t folder_length(const char *path)
{
    return (size_t)(base_name(path) - path);
}

/* NAME.h of a folder NAME, and for each of its prefixes WORD_ also WORD.h. In layers without
 * prefixes, where types give the names, every header is public. */
static bool is_public(const Layer *layer, const char *to)
{
    const char *base = base_name(to);
    size_t base_len = strlen(base), folder_len = folder_length(to);
    if (folder_len == strlen(layer->folder) + 1 && !layer->prefixes.len) return true;
    if (!has_suffix(base, ".h")) return false;
    size_t name_len = base_len - 2;
    if (folder_len > name_len && !memcmp(to + folder_len - 1 - name_len, base, name_len) &&
        (folder_len == name_len + 1 || to[folder_len - 2 - name_len] == '/'))
        return true;
    char *prefix = host_format("%.*s_", (int)name_len, base);
    bool is_prefix =
        has_name(&layer->prefixes, prefix, name_len + 1) && folder_len == strlen(layer->folder) + 1;
    free(prefix);
    return is_prefix;
}

/* Is `from` in the folder of `to`, or below it? */
static bool is_inside(const char *from, const char *to)
{
    return !strncmp(from, to, folder_length(to));
}

/* A test may include the .c file that it tests. */
static bool is_tested(const char *from, const char *to)
{
    return has_suffix(from, "_test.c") && folder_length(from) == folder_length(to) &&
           is_inside(from, to);
}

char *layers_refuse(const Layers *layers, const char *from, const char *to)
{
    const Layer *mine = layers_find(layers, from), *other = layers_find(layers, to);
    if (has_suffix(to, ".c") && !is_tested(from, to))
        return host_format("\"%s\": only its test may include a .c file", to);
    if (!other) return host_format("\"%s\" is in no folder that src/LAYERS names", to);
    if (mine && mine != other && !has_name(&mine->allowed, other->folder, strlen(other->folder)))
        return host_format("%s may not include \"%s\": see src/LAYERS", mine->folder, to);
    if (mine == other && strcmp(mine->folder, "builtins") != 0) return NULL;
    if (is_inside(from, to) || is_public(other, to)) return NULL;
    return host_format("\"%s\" is private to its folder; include the front header", to);
}

static bool any_prefix(const char *str, const char *const *list)
{
    for (; *list; list++) {
        if (has_prefix(str, *list)) return true;
    }
    return false;
}

char *layers_refuse_system(const char *from, const char *to)
{
    static const char *const files[] = {
        "fcntl.h",       "dirent.h",   "sys/stat.h",    "sys/file.h", "sys/sendfile.h",
        "sys/inotify.h", "sys/wait.h", "spawn.h",       "termios.h",  "sys/ioctl.h",
        "ftw.h",         "glob.h",     "sys/statvfs.h", "sys/vfs.h",  NULL};
    static const char *const sockets[] = {
        "sys/socket.h",  "sys/un.h", "netinet/",      "arpa/inet.h",
        "netdb.h",       "net/if.h", "ifaddrs.h",     "sys/epoll.h",
        "sys/eventfd.h", "poll.h",   "sys/timerfd.h", "sys/signalfd.h",
        "sys/select.h",  "liburing", "linux/",        NULL};
    if (has_prefix(to, "JavaScriptCore") && !has_prefix(from, "engine/"))
        return host_format("<%s>: only engine/ knows JavaScriptCore", to);
    if (has_prefix(from, "sys/") || has_suffix(from, "_test.c")) return NULL;
    if (any_prefix(to, files)) return host_format("<%s>: only sys/ touches files", to);
    if (has_prefix(from, "loop/") || has_prefix(from, "net/")) return NULL;
    if (any_prefix(to, sockets))
        return host_format("<%s>: only sys/, loop/ and net/ touch sockets", to);
    return NULL;
}

bool layers_prefix_ok(const Layer *layer, const char *path, const char *name, size_t len)
{
    if (!layer->prefixes.len) return true;
    for (size_t i = 0; i < layer->prefixes.len; i++) {
        if (!strncmp(name, layer->prefixes.v[i], strlen(layer->prefixes.v[i]))) return true;
    }
    const char *base = base_name(path);
    size_t base_len = strlen(base) - 2, folder_len = strlen(layer->folder);
    if (len > base_len && !memcmp(name, base, base_len)) return true;
    return len > folder_len && !memcmp(name, layer->folder, folder_len);
}
