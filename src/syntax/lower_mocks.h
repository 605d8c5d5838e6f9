/* syntax/lower_mocks.h -- files that replace modules before they import them (private to syntax but
 * for mocks_find). */
#pragma once

#include "syntax/lower.h"

/* A statement that runs before the file's imports are loaded. */
bool mocks_is_hoisted(const Ast *t, NodeId stmt);
/* Before import() is lowered: vi.mock(import("x")) means vi.mock("x"). */
void mocks_take_specifiers(Ast *t);
/* `[$cob0, $cob1] = await $cob.late(2);` */
NodeId mocks_late_imports(Lowering *w, const ModuleInfo *m, const ModuleNames *names);
/* `const name = $cob.ns(1);` */
NodeId mocks_late_namespace(Lowering *w, const ModuleImport *im, const ModuleNames *names);
