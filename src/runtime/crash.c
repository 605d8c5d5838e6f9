/* runtime/crash.c -- what is said when the process dies of its own fault.
 *
 * The report goes to standard error: version, signal, what was running, and native frames, then the
 * signal is raised again with its default action, so that the exit status and the core file are
 * those of the crash.
 *
 * Everything here runs in a signal handler on an alternate stack: no allocation, no lock, no stdio;
 * the lines are put together in a buffer on the stack.  Frames are found without unwinding tables,
 * since the embedded engine has none and compiled JavaScript none either: every word on the stack
 * that is the address behind a call instruction in an executable mapping is one.  A few of them may
 * be left over from calls that have returned. */
#include "runtime/crash.h"

#include "sys/sys.h"

#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

enum {
    CRASH_LINE_MAX = 256,
    N_RANGES_MAX = 96,        /* executable mappings; more are not looked at */
    N_FRAMES_MAX = 40,        /* printed */
    SCAN_BYTES_MAX = 1 << 18, /* of the stack */
    STACK_GAP = 1 << 17,      /* below the mapping of a stack that has overflown */
    MAPS_CHUNK = 2048,
    NAME_BYTES = 48,
    ENGINE_CRASH_ADDRESS = 0xbbadbeef, /* where the engine writes to end itself */
    OOM_EXIT_CODE = 134,
};

typedef struct {
    u64 begin, end, off;
    char name[NAME_BYTES]; /* of the file, without its folder; empty for compiled JavaScript */
    bool is_program;
} Range;

static struct {
    const Vm *vm;
    bool is_installed;
    bool is_reporting; /* atomic */
    u64 thread;
    Range ranges[N_RANGES_MAX];
    u32 n_ranges;
    u64 stack_begin, stack_end; /* the mapping that the stack pointer is in, or has just left */
} crash;

/* ---- Text without an allocator
 * ---------------------------------------------------------------------- */

typedef struct {
    char at[CRASH_LINE_MAX];
    u32 len;
} Line;

static void put_char(Line *line, char c)
{
    if (line->len < CRASH_LINE_MAX - 1) line->at[line->len++] = c;
}

static void put(Line *line, const char *text)
{
    while (*text) put_char(line, *text++);
}

static void put_str(Line *line, Str text)
{
    for (usize i = 0; i < text.n; i++) put_char(line, text.p[i]);
}

static void put_number(Line *line, u64 n, u32 base)
{
    char digits[24];
    u32 len = 0;
    do {
        digits[len++] = "0123456789abcdef"[n % base];
        n /= base;
    } while (n);
    while (len) put_char(line, digits[--len]);
}

static void put_address(Line *line, u64 address)
{
    put(line, "0x");
    put_number(line, address, 16);
}

static void end_line(Line *line)
{
    line->at[line->len++] = '\n';
    (void)!sys_write_all(2, (Str){line->at, line->len});
    line->len = 0;
}

static void say(const char *text)
{
    Line line = {.len = 0};
    put(&line, text);
    end_line(&line);
}

/* ---- Mappings
 * ------------------------------------------------------------------------------------------ */

static u64 take_hex(Str *rest)
{
    u64 n = 0;
    usize i = 0;
    for (; i < rest->n; i++) {
        char c = rest->p[i];
        if (c >= '0' && c <= '9')
            n = n * 16 + (u64)(c - '0');
        else if (c >= 'a' && c <= 'f')
            n = n * 16 + (u64)(c - 'a' + 10);
        else
            break;
    }
    *rest = str_skip(*rest, i + 1);
    return n;
}

/* "begin-end perms offset device inode   path" */
static void take_mapping(Str line, u64 stack)
{
    Range r = {.begin = take_hex(&line)};
    r.end = take_hex(&line);
    bool is_code = line.n > 3 && line.p[2] == 'x';
    line = str_skip(line, 5);
    r.off = take_hex(&line);
    if (!crash.stack_end && stack < r.end && stack + STACK_GAP >= r.begin) {
        crash.stack_begin = r.begin;
        crash.stack_end = r.end;
    }
    if (!is_code || crash.n_ranges == N_RANGES_MAX) return;
    i64 slash = str_rfind(line, '/');
    Str name = slash >= 0 ? str_skip(line, (usize)slash + 1) : S("");
    for (usize i = 0; i < name.n && i < NAME_BYTES - 1; i++) r.name[i] = name.p[i];
    /* The program is linked for a fixed address, and is the first in the list. */
    r.is_program = name.n && (!crash.n_ranges || !strcmp(r.name, crash.ranges[0].name));
    crash.ranges[crash.n_ranges++] = r;
}

static void read_mappings(u64 stack)
{
    char buf[MAPS_CHUNK];
    usize len = 0;
    int fd = sys_open(S("/proc/self/maps"), O_RDONLY, 0);
    if (fd < 0) return;
    for (;;) {
        i64 n = sys_read(fd, buf + len, sizeof(buf) - len);
        if (n <= 0) break;
        len += (usize)n;
        Str rest = {buf, len}, line;
        for (i64 end; (end = str_find(rest, '\n')) >= 0; rest = str_skip(rest, (usize)end + 1)) {
            line = str_slice(rest, 0, (usize)end);
            take_mapping(line, stack);
        }
        if (rest.n == sizeof(buf)) rest.n = 0;
        memmove(buf, rest.p, rest.n);
        len = rest.n;
    }
    (void)sys_close(fd);
}

static const Range *find_range(u64 address)
{
    for (u32 i = 0; i < crash.n_ranges; i++)
        if (address >= crash.ranges[i].begin && address < crash.ranges[i].end)
            return &crash.ranges[i];
    return NULL;
}

/* ---- Frames
 * ---------------------------------------------------------------------------------------------- */

static void print_frame(u64 address)
{
    Line line = {.len = 0};
    const Range *r = find_range(address);
    put(&line, "  ");
    put_address(&line, address);
    put(&line, "  ");
    if (!r) {
        put(&line, "(not code)");
    } else if (!r->name[0]) {
        put(&line, "(compiled JavaScript)");
    } else {
        put(&line, r->name);
        if (!r->is_program) put(&line, "+");
        if (!r->is_program) put_address(&line, address - r->begin + r->off);
    }
    end_line(&line);
}

/* Does a call instruction end at `address`?  Direct (e8), or through a register or memory (ff /2).
 */
__attribute__((no_sanitize("address"))) static bool is_behind_call(const Range *r, u64 address)
{
    static const u8 lengths[] = {2, 3, 4, 6, 7};
    const u8 *p = (const u8 *)(uintptr_t)address;
    u64 room = address - r->begin;
    if (room >= 5 && p[-5] == 0xe8) return true;
    for (u32 i = 0; i < COUNT(lengths); i++) {
        u32 n = lengths[i];
        if (room >= n && p[-(i32)n] == 0xff && (p[1 - (i32)n] & 0x38) == 0x10) return true;
    }
    return false;
}

__attribute__((no_sanitize("address"))) static void print_frames(u64 code, u64 stack)
{
    print_frame(code);
    u64 at = ALIGN_UP(MAX(stack, crash.stack_begin), (u64)8);
    u64 end = MIN(crash.stack_end, at + SCAN_BYTES_MAX);
    for (u32 n = 1; at + 8 <= end && n < N_FRAMES_MAX; at += 8) {
        u64 word = *(const volatile u64 *)(uintptr_t)at;
        const Range *r = find_range(word);
        if (!r || !is_behind_call(r, word)) continue;
        print_frame(word);
        n++;
    }
}

/* ---- The report
 * -------------------------------------------------------------------------------------------- */

static const char *signal_name(int signo)
{
    switch (signo) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    case SIGTRAP: return "SIGTRAP";
    default: return "signal";
    }
}

static bool is_sent(const siginfo_t *info)
{
    return info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
}

static void print_signal(int signo, const siginfo_t *info)
{
    Line line = {.len = 0};
    put(&line, "  signal    ");
    put(&line, signal_name(signo));
    if (!is_sent(info)) {
        put(&line, " at address ");
        put_address(&line, (u64)(uintptr_t)info->si_addr);
    } else if (info->si_pid != sys_pid()) {
        put(&line, ", sent by process ");
        put_number(&line, (u64)info->si_pid, 10);
    } else {
        put(&line, ", raised by itself");
    }
    end_line(&line);
}

static void print_program(const Vm *vm)
{
    Line line = {.len = 0};
    put(&line, "  version   ");
    put_str(&line, vm_version());
    put(&line, "+");
    put_str(&line, vm_revision());
    put(&line, " (Linux x64)");
    end_line(&line);
    put(&line, "  running   ");
    if (!vm)
        put(&line, "nothing yet");
    else if (str_eq(vm->main_path, S("-")))
        put(&line, "a program from standard input");
    else
        put(&line, vm->main_path.n ? "a file" : "text of the command line");
    end_line(&line);
    put(&line, "  loop      ");
    put(&line, vm && vm->loop ? loop_backend_name(vm->loop) : "none");
    put(&line, ", thread ");
    put_number(&line, crash.thread, 10);
    put(&line, " of process ");
    put_number(&line, (u64)sys_pid(), 10);
    end_line(&line);
}

/* The engine reserves address space when it starts, and ends itself when it gets none. */
static bool is_out_of_space(const Vm *vm)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    if (!vm || vm->js) return false;
    for (u32 i = 0; i < COUNT(limits); i++) {
        u64 soft, hard;
        if (sys_limit_get(limits[i], &soft, &hard) == 0 && soft != UINT64_MAX) return true;
    }
    return false;
}

static bool is_out_of_memory(int signo, const siginfo_t *info)
{
    bool is_by_engine = signo == SIGTRAP || signo == SIGILL || signo == SIGABRT ||
                        (u64)(uintptr_t)info->si_addr == ENGINE_CRASH_ADDRESS;
    return is_by_engine && js_crash_reason();
}

static NORETURN void die(int signo)
{
    (void)sys_signal_default(signo);
    sys_signal_unblock_all();
    (void)sys_signal_raise(signo);
    sys_exit_now(128 + signo);
}

static void on_crash(int signo, const siginfo_t *info, void *ucontext)
{
    const ucontext_t *uc = ucontext;
    u64 thread = sys_thread_id();
    if (__atomic_exchange_n(&crash.is_reporting, true, __ATOMIC_ACQ_REL)) {
        if (thread == crash.thread) die(signo); /* the report itself crashed */
        for (;;) sys_sleep_ns(UINT32_MAX);      /* the other thread ends the process */
    }
    crash.thread = thread;
    (void)sys_tty_restore();
    if (is_out_of_space(crash.vm)) {
        say("error: out of memory: the JavaScript engine cannot start with so little address "
            "space\n"
            "note: raise the limit (ulimit -v, ulimit -d); what is reserved is not used");
        sys_exit_now(OOM_EXIT_CODE);
    }
    if (is_out_of_memory(signo, info)) {
        say("error: out of memory: the system gives the JavaScript heap no more");
        sys_exit_now(OOM_EXIT_CODE);
    }
    u64 code = (u64)uc->uc_mcontext.gregs[REG_RIP], stack = (u64)uc->uc_mcontext.gregs[REG_RSP];
    say("cob: crashed");
    print_program(crash.vm);
    print_signal(signo, info);
    say("  frames    (some may be left over from earlier calls; addr2line -Cfpe cob ADDRESS names "
        "them)");
    read_mappings(stack);
    print_frames(code, stack);
    if (!is_sent(info) || signo == SIGABRT)
        say("This is a bug in Cob, not in your program. Please report it with all of this text, "
            "what you\n"
            "ran, the output of `uname -a` and, if it can be shown, the program (CONTRIBUTING.md "
            "says "
            "where).");
    die(signo);
}

/* ---- Setting up
 * -----------------------------------------------------------------------------------------------
 */

#ifdef COB_DEBUG
static u32 overflow(volatile u32 *above)
{
    volatile u32 here[1024] = {*above + 1};
    if (here[0] == UINT32_MAX) return 0;
    here[1] = overflow(here) + 1;
    return here[1] + *above;
}

/* COB_TEST_CRASH=segv|stack|abort|trap: crashes on purpose, for the tests of the report. */
static void crash_if_asked(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str how;
    volatile uintptr_t nowhere = 0x10;
    if (!sys_env_find(s.arena, S("COB_TEST_CRASH"), &how)) return;
    if (str_eq(how, S("segv"))) *(volatile u32 *)nowhere = 1;
    if (str_eq(how, S("stack"))) (void)overflow(&(u32){0});
    if (str_eq(how, S("abort"))) BUG("COB_TEST_CRASH");
    if (str_eq(how, S("trap"))) __builtin_trap();
}
#else
static void crash_if_asked(void) {}
#endif

void vm_crash_init(const Vm *vm)
{
    if (crash.is_installed) return;
    crash.is_installed = true;
    crash.vm = vm;
    /* Without it a crash just says less. */
    (void)!sys_crash_handler_set(on_crash);
}

void vm_crash_after_engine(void)
{
    (void)!sys_crash_handler_share_stack();
    crash_if_asked();
}
