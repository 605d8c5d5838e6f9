/* bun/file/file.c -- native half of bun:file. */
#include "builtins/builtins.h"
#include "sys/sys.h"

#include <sys/mman.h>

static void unmap(void *p, void *data)
{
    (void)munmap(p, (usize)(uintptr_t)data);
}

/* mmap(path, isShared) -> Uint8Array over the file */
JS_NATIVE(file_mmap)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    bool is_shared = js_truthy(js, js_arg(args, 1));
    SysStat stat;
    int fd = sys_open(path, is_shared ? O_RDWR : O_RDONLY, 0);
    if (fd == -EACCES) fd = sys_open(path, O_RDONLY, 0);
    if (fd < 0) return js_throw_sys(js, fd, "open", path);
    int rc = sys_fstat(fd, &stat);
    void *p = NULL;
    if (rc == 0 && stat.size) {
        int kind = is_shared ? MAP_SHARED : MAP_PRIVATE;
        p = mmap(NULL, stat.size, PROT_READ | PROT_WRITE, kind, fd, 0);
        if (p == MAP_FAILED) p = mmap(NULL, stat.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) rc = -errno;
    }
    (void)sys_close(fd);
    if (rc < 0) return js_throw_sys(js, rc, "mmap", path);
    if (!stat.size) return js_u8array(js, NULL, 0);
    return js_u8array_take(js, p, stat.size, unmap, (void *)(uintptr_t)stat.size);
}

static const JsFn fns[] = {JS_FN("mmap", file_mmap)};
BUILTIN_NATIVE(bun_file, fns)
