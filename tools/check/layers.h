#pragma once
/* tools/check/layers.h -- src/LAYERS, and which include it allows. */
#include <stdbool.h>
#include <stddef.h>

#include "embed/host.h"

typedef struct {
    char *folder;
    Names prefixes; /* "http_", "ws_"; none: no rule */
    Names allowed;  /* folders, without its own */
    unsigned line;
} Layer;

typedef struct {
    Layer *v;
    size_t len, cap;
} Layers;

/* Prints findings for lines that are wrong; a folder may only name folders above it, so that there
 * can be no cycle of folders. */
void layers_read(const char *path, Layers *ret);
/* The layer of "util/str.c", below src; NULL for src/main.c and for what LAYERS does not name. */
const Layer *layers_find(const Layers *layers, const char *path);

/* Says why `from` may not include "to" (both below src), or NULL if it may. */
char *layers_refuse(const Layers *layers, const char *from, const char *to);
/* The same for <to>. */
char *layers_refuse_system(const char *from, const char *to);
/* May a function of that name be declared in that header? */
bool layers_prefix_ok(const Layer *layer, const char *path, const char *name, size_t len);
