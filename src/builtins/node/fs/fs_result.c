/* node/fs/fs_result.c -- what operations found, as JavaScript values. */
#include "builtins/node/fs/fs_op.h"

#include "util/mem.h"

JsVal fs_as_number(Js *js, FsOp *op, i64 rc)
{
    (void)op;
    return js_number(js, (f64)rc);
}

static JsVal name_value(Js *js, Str name, bool as_bytes)
{
    return as_bytes ? js_u8array(js, name.p, name.n) : js_str(js, name);
}

JsVal fs_as_text(Js *js, FsOp *op, i64 rc)
{
    (void)rc;
    return op->text.p ? name_value(js, op->text, op->n[0]) : JS_UNDEFINED;
}

static JsVal number_value(Js *js, u64 n, bool as_bigint)
{
    return as_bigint ? js_bigint_u64(js, n) : js_number(js, (f64)n);
}

JsVal fs_as_stat(Js *js, FsOp *op, i64 rc)
{
    (void)rc;
    const SysStat *s = &op->stat;
    const u64 fields[] = {s->dev,  s->mode,    s->nlink, s->uid,  s->gid,
                          s->rdev, s->blksize, s->ino,   s->size, s->blocks};
    const SysTime *times[] = {&s->atime, &s->mtime, &s->ctime, &s->btime};
    bool as_bigint = op->n[0];
    JsVal list = js_array(js, NULL, 0);
    u32 k = 0;
    for (u32 i = 0; i < COUNT(fields); i++) {
        if (!js_set_index(js, list, k++, number_value(js, fields[i], as_bigint))) return NULL;
    }
    for (u32 i = 0; i < COUNT(times); i++) {
        JsVal seconds =
            as_bigint ? js_bigint_i64(js, times[i]->s) : js_number(js, (f64)times[i]->s);
        if (!js_set_index(js, list, k++, seconds)) return NULL;
        if (!js_set_index(js, list, k++, number_value(js, times[i]->ns, as_bigint))) return NULL;
    }
    return list;
}

JsVal fs_as_statfs(Js *js, FsOp *op, i64 rc)
{
    (void)rc;
    const SysStatFs *s = &op->statfs;
    const u64 fields[] = {s->type, s->bsize, s->blocks, s->bfree, s->bavail, s->files, s->ffree};
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < COUNT(fields); i++)
        if (!js_set_index(js, list, i, number_value(js, fields[i], op->n[0]))) return NULL;
    return list;
}

/* UV_DIRENT_x, which node:constants has too. */
static i32 type_number(u32 type)
{
    switch (type) {
    case S_IFREG: return 1;
    case S_IFDIR: return 2;
    case S_IFLNK: return 3;
    case S_IFIFO: return 4;
    case S_IFSOCK: return 5;
    case S_IFCHR: return 6;
    case S_IFBLK: return 7;
    default: return 0;
    }
}

JsVal fs_as_names(Js *js, FsOp *op, i64 rc)
{
    (void)rc;
    JsVal list = js_array(js, NULL, 0);
    u32 k = 0;
    for (u32 i = 0; i < op->n_names; i++) {
        if (!js_set_index(js, list, k++, name_value(js, op->names[i].name, op->n[1]))) return NULL;
        if (!op->n[0]) continue;
        if (!js_set_index(js, list, k++, js_int(js, type_number(op->names[i].type)))) return NULL;
    }
    return list;
}

static void free_content(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

JsVal fs_as_content(Js *js, FsOp *op, i64 rc)
{
    (void)rc;
    if (op->n[1]) return js_str(js, buf_str(&op->content));
    if (!op->content.len) return js_u8array(js, NULL, 0);
    void *p = op->content.p;
    usize n = op->content.len;
    op->content = (Buf){0};
    return js_u8array_take(js, p, n, free_content, NULL);
}
