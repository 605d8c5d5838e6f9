/* util/err.c -- the table of error codes (see err.def). */
#include "util/err.h"

typedef struct {
    int number;
    const char *name, *text;
} Row;

static const Row rows[] = {
#define X(number, name, text) {number, #name, text},
#include "util/err.def"
#undef X
};

static const Row *find(int rc)
{
    for (u32 i = 0; i < COUNT(rows); i++)
        if (rows[i].number == -rc) return &rows[i];
    return NULL;
}

const char *err_name(int rc)
{
    const Row *row = find(rc);
    return row ? row->name : "UNKNOWN";
}

const char *err_text(int rc)
{
    const Row *row = find(rc);
    return row ? row->text : "unknown error";
}
