/* sys/proc.c -- this process and the machine it runs on. */
#include "sys/call.h"

#include <elf.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { GROUPS_MAX = 65536, PROC_FILE_MAX = 64 * 1024 };

int sys_kill(i32 pid, int signo)
{
    FAULT();
    return RETRY_INT(kill(pid, signo));
}

i32 sys_pid(void)
{
    return getpid();
}

i32 sys_ppid(void)
{
    return getppid();
}

u32 sys_umask(u32 mask)
{
    return umask((mode_t)mask);
}

/* The number behind "label" in a file of /proc; 0 if the line is not there. */
static u64 proc_number(Str text, Str label, u32 base)
{
    i64 at = str_find_str(text, label);
    if (at < 0) return 0;
    Str rest = str_trim(str_skip(text, (usize)at + label.n));
    u64 n = 0;
    for (usize i = 0; i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9'; i++) {
        n = n * base + (u64)(rest.p[i] - '0');
    }
    return n;
}

u32 sys_umask_get(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    int rc = sys_read_file(s.arena, S("/proc/self/status"), PROC_FILE_MAX, &text);
    if (rc == 0 && str_find_str(text, S("\nUmask:")) >= 0) {
        return (u32)proc_number(text, S("\nUmask:"), 8);
    }
    u32 mask = sys_umask(077);
    (void)sys_umask(mask);
    return mask;
}

int sys_cwd(Arena *a, Str *ret)
{
    FAULT();
    char cwd[SYS_PATH_MAX];
    if (!getcwd(cwd, sizeof(cwd))) return -errno;
    *ret = str_dup(a, str_z(cwd));
    return 0;
}

int sys_chdir(Str path)
{
    FAULT();
    PATH_Z(z, path);
    return RETRY_INT(chdir(z.z));
}

int sys_exe_path(Arena *a, Str *ret)
{
    return sys_readlink(a, S("/proc/self/exe"), ret);
}

/* The build id among the notes of one segment. */
static Str find_build_id(const char *p, usize len)
{
    for (usize at = 0; at + sizeof(Elf64_Nhdr) <= len;) {
        Elf64_Nhdr note;
        memcpy(&note, p + at, sizeof(note));
        usize name = at + sizeof(note), data = name + ((note.n_namesz + 3U) & ~3U);
        if (data + note.n_descsz > len) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(p + name, "GNU", 4))
            return (Str){p + data, note.n_descsz};
        at = data + ((note.n_descsz + 3U) & ~3U);
    }
    return S("");
}

Str sys_build_id(void)
{
    const Elf64_Phdr *segments = (const void *)(uintptr_t)getauxval(AT_PHDR);
    u64 n = segments ? getauxval(AT_PHNUM) : 0;
    for (u64 i = 0; i < n; i++) {
        if (segments[i].p_type != PT_NOTE) continue;
        /* The executable is not moved: addresses are those of the file. */
        Str id = find_build_id((const char *)(uintptr_t)segments[i].p_vaddr, segments[i].p_memsz);
        if (id.n) return id;
    }
    return S("");
}

int sys_hostname(Arena *a, Str *ret)
{
    FAULT();
    struct utsname u;
    int rc = RETRY_INT(uname(&u));
    if (rc == 0) *ret = str_dup(a, str_z(u.nodename));
    return rc;
}

int sys_uname(Arena *a, SysName *ret)
{
    FAULT();
    struct utsname u;
    int rc = RETRY_INT(uname(&u));
    if (rc < 0) return rc;
    *ret = (SysName){
        .sysname = str_dup(a, str_z(u.sysname)),
        .release = str_dup(a, str_z(u.release)),
        .version = str_dup(a, str_z(u.version)),
        .machine = str_dup(a, str_z(u.machine)),
    };
    return 0;
}

int sys_priority_get(i32 pid, int *ret)
{
    FAULT();
    errno = 0;
    int n = getpriority(PRIO_PROCESS, (id_t)pid);
    if (n == -1 && errno) return -errno;
    *ret = n;
    return 0;
}

int sys_priority_set(i32 pid, int priority)
{
    FAULT();
    return RETRY_INT(setpriority(PRIO_PROCESS, (id_t)pid, priority));
}

u32 sys_uid(void)
{
    return getuid();
}

u32 sys_euid(void)
{
    return geteuid();
}

u32 sys_gid(void)
{
    return getgid();
}

u32 sys_egid(void)
{
    return getegid();
}

int sys_set_uid(u32 uid)
{
    FAULT();
    return RETRY_INT(setuid(uid));
}

int sys_set_euid(u32 uid)
{
    FAULT();
    return RETRY_INT(seteuid(uid));
}

int sys_set_gid(u32 gid)
{
    FAULT();
    return RETRY_INT(setgid(gid));
}

int sys_set_egid(u32 gid)
{
    FAULT();
    return RETRY_INT(setegid(gid));
}

int sys_groups(Arena *a, u32 **ret, u32 *ret_len)
{
    FAULT();
    int n = RETRY_INT(getgroups(0, NULL));
    if (n < 0) return n;
    u32 *groups = ARENA_ARRAY(a, u32, (usize)n + 1);
    n = RETRY_INT(getgroups(n, groups));
    if (n < 0) return n;
    *ret = groups;
    *ret_len = (u32)n;
    return 0;
}

int sys_set_groups(const u32 *groups, u32 len)
{
    FAULT();
    if (len > GROUPS_MAX) return -EINVAL;
    return RETRY_INT(setgroups(len, groups));
}

int sys_limit_get(int resource, u64 *ret_soft, u64 *ret_hard)
{
    FAULT();
    struct rlimit r;
    int rc = RETRY_INT(getrlimit((__rlimit_resource_t)resource, &r));
    if (rc < 0) return rc;
    *ret_soft = r.rlim_cur;
    *ret_hard = r.rlim_max;
    return 0;
}

int sys_limit_set(int resource, u64 soft, u64 hard)
{
    FAULT();
    struct rlimit r = {.rlim_cur = soft, .rlim_max = hard};
    return RETRY_INT(setrlimit((__rlimit_resource_t)resource, &r));
}

u64 sys_limit_files_raise(void)
{
    u64 soft, hard;
    if (sys_limit_get(RLIMIT_NOFILE, &soft, &hard) < 0) return 0;
    if (soft < hard && sys_limit_set(RLIMIT_NOFILE, hard, hard) == 0) return hard;
    return soft;
}

int sys_memory(bool full, SysMemory *ret)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    int rc = sys_read_file(s.arena, S("/proc/self/statm"), PROC_FILE_MAX, &text);
    if (rc < 0) return rc;
    u64 pages[3] = {0};
    Str piece;
    for (u32 i = 0; i < COUNT(pages) && str_next(&text, ' ', &piece); i++) {
        if (!str_to_u64(piece, &pages[i])) return -EPROTO;
    }
    u64 page = sys_page_size();
    SysMemory m = {.virt = pages[0] * page, .rss = pages[1] * page, .shared = pages[2] * page};
    if (full) {
        rc = sys_read_file(s.arena, S("/proc/self/smaps_rollup"), PROC_FILE_MAX, &text);
        if (rc < 0) return rc;
        m.pss = proc_number(text, S("\nPss:"), 10) * 1024;
        m.private_clean = proc_number(text, S("\nPrivate_Clean:"), 10) * 1024;
        m.private_dirty = proc_number(text, S("\nPrivate_Dirty:"), 10) * 1024;
    }
    *ret = m;
    return 0;
}

u32 sys_cpu_count(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) return MAX((u32)CPU_COUNT(&set), 1U);
    long n = sysconf(_SC_NPROCESSORS_ONLN); /* more than 1024 processors */
    return n > 0 ? (u32)n : 1;
}

int sys_loadavg(f64 ret_avg[3])
{
    FAULT();
    return getloadavg(ret_avg, 3) == 3 ? 0 : -ENOSYS;
}

int sys_machine(u64 *ret_total_ram, u64 *ret_free_ram, f64 *ret_uptime_s)
{
    FAULT();
    struct sysinfo info;
    int rc = RETRY_INT(sysinfo(&info));
    if (rc < 0) return rc;
    *ret_total_ram = (u64)info.totalram * info.mem_unit;
    *ret_free_ram = (u64)info.freeram * info.mem_unit;
    *ret_uptime_s = (f64)info.uptime;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (sys_read_file(s.arena, S("/proc/meminfo"), PROC_FILE_MAX, &text) == 0) {
        u64 kb = proc_number(text, S("MemAvailable:"), 10);
        if (kb) *ret_free_ram = kb * 1024;
    }
    return 0;
}

void sys_exit_now(int code)
{
    _exit(code);
}
