/* syntax/exports_edit.h -- exports that are left out, get another value, or another name
 * (Bun.Transpiler's `exports`). */
#pragma once

#include "syntax/ast.h"

typedef enum { EXPORT_ELIMINATE, EXPORT_REPLACE } ExportEditKind;

typedef struct {
    ExportEditKind kind;
    Str name;     /* as exported */
    Str new_name; /* REPLACE: empty: the same */
    Str value;    /* REPLACE: a literal, as JavaScript */
} ExportEdit;

/* Before names are bound, so that what only an eliminated export used counts as unused. */
void exports_edit(Ast *t, const ExportEdit *edits, u32 n_edits, Arena *a);
