/* sys/proc_test.c -- this process: identity, memory, limits, environment, title, time. */
#include "sys/sys.h"

#include "util/test.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static Arena arena;

TEST(proc_identity)
{
    Str cwd, exe, host;
    SysName name;
    CHECK_INT(sys_pid(), getpid());
    CHECK_INT(sys_ppid(), getppid());
    CHECK_INT(sys_chdir(S("/usr")), 0);
    CHECK_INT(sys_cwd(&arena, &cwd), 0);
    CHECK_STR(cwd, "/usr");
    CHECK_INT(sys_chdir(S("/no/such")), -ENOENT);
    CHECK_INT(sys_exe_path(&arena, &exe), 0);
    CHECK(str_starts(exe, S("/")));
    CHECK_INT(sys_hostname(&arena, &host), 0);
    CHECK(host.n > 0);
    CHECK_INT(sys_uname(&arena, &name), 0);
    CHECK_STR(name.sysname, "Linux");
    CHECK_INT(sys_kill(sys_pid(), 0), 0);
    arena_deinit(&arena);
}

TEST(proc_umask_is_read_without_changing_it)
{
    (void)sys_umask(027);
    CHECK_INT(sys_umask_get(), 027);
    CHECK_INT(sys_umask(022), 027);
}

TEST(proc_memory_adds_up)
{
    SysMemory m;
    CHECK_INT(sys_memory(false, &m), 0);
    CHECK(m.virt >= m.rss);
    CHECK(m.rss >= m.shared);
    CHECK(m.rss > 100000);
    CHECK_INT(m.pss, 0);
    CHECK_INT(sys_memory(true, &m), 0);
    CHECK(m.pss > 0);
    CHECK(m.private_dirty > 0);
}

TEST(proc_usage_limits_and_machine)
{
    SysUsage u;
    u64 soft, hard, total, free_ram;
    f64 uptime_s, avg[3];
    CHECK_INT(sys_usage(RUSAGE_SELF, &u), 0);
    CHECK(u.max_rss_kb > 100);
    CHECK_INT(sys_usage(12345, &u), -EINVAL);
    CHECK_INT(sys_limit_get(RLIMIT_NOFILE, &soft, &hard), 0);
    CHECK_INT(sys_limit_set(RLIMIT_NOFILE, MIN(soft, (u64)50), hard), 0);
    CHECK_INT(sys_limit_files_raise(), hard);
    CHECK(sys_cpu_count() >= 1);
    CHECK_INT(sys_loadavg(avg), 0);
    CHECK_INT(sys_machine(&total, &free_ram, &uptime_s), 0);
    CHECK(total >= free_ram);
    CHECK(uptime_s > 0);
}

TEST(proc_ids_and_groups)
{
    u32 *groups = NULL, n = 99;
    CHECK_INT(sys_uid(), getuid());
    CHECK_INT(sys_egid(), getegid());
    CHECK_INT(sys_groups(&arena, &groups, &n), 0);
    CHECK(n < 99);
    int priority = 99;
    CHECK_INT(sys_priority_get(0, &priority), 0);
    CHECK(priority >= -20 && priority < 20);
    CHECK_INT(sys_priority_set(0, 19), 0);
    CHECK_INT(sys_priority_get(0, &priority), 0);
    CHECK_INT(priority, 19);
    arena_deinit(&arena);
}

TEST(env_is_set_found_listed_and_deleted)
{
    Str value, *list = NULL;
    u32 n = 0, n_hits = 0;
    CHECK(!sys_env_find(&arena, S("COB_TEST_VAR"), &value));
    CHECK_INT(sys_env_set(S("COB_TEST_VAR"), S("a=b")), 0);
    CHECK(sys_env_find(&arena, S("COB_TEST_VAR"), &value));
    CHECK_STR(value, "a=b");
    sys_env_list(&arena, &list, &n);
    for (u32 i = 0; i < n; i++) n_hits += str_eq(list[i], S("COB_TEST_VAR=a=b"));
    CHECK_INT(n_hits, 1);
    CHECK_INT(sys_env_del(S("COB_TEST_VAR")), 0);
    CHECK(!sys_env_find(&arena, S("COB_TEST_VAR"), &value));
    CHECK_INT(sys_env_set(S(""), S("x")), -EINVAL);
    CHECK_INT(sys_env_set(S("A=B"), S("x")), -EINVAL);
    CHECK_INT(sys_env_set(S("A\0B"), S("x")), -EINVAL);
    CHECK_INT(sys_env_set(S("A"), S("x\0y")), -EINVAL);
    arena_deinit(&arena);
}

TEST(title_replaces_the_command_line)
{
    /* As the kernel lays it out. */
    static char area[] = "prog\0first\0second";
    char *argv[] = {area, area + 5, area + 11, NULL};
    Str title;
    CHECK_INT(sys_title_set(S("early")), -ENOBUFS);
    char **copy = sys_title_init(3, argv);
    CHECK_STR(str_z(copy[2]), "second");
    CHECK_INT(sys_title_get(&arena, &title), 0);
    CHECK_STR(title, "prog");
    CHECK_INT(sys_title_set(S("a title longer than there is room")), 0);
    CHECK_STR(str_z(area), "a title longer th");
    CHECK_INT(sys_title_get(&arena, &title), 0);
    CHECK_STR(title, "a title longer than there is room");
    CHECK_STR(str_z(copy[1]), "first");
    CHECK_INT(sys_title_set(S("x")), 0);
    CHECK_STR(str_z(area), "x");
    CHECK_INT(area[11], 0);
    arena_deinit(&arena);
}

TEST(clock_goes_forward)
{
    u64 start_ns = sys_monotonic_ns();
    sys_sleep_ns(2000000);
    CHECK(sys_monotonic_ns() - start_ns >= 2000000);
    CHECK(sys_realtime_ns() > 1600000000ULL * 1000000000ULL);
    CHECK(sys_cpu_process_ns() > 0);
    CHECK(sys_cpu_thread_ns() <= sys_cpu_process_ns());
}

TEST(random_bytes_differ)
{
    u8 a[64] = {0}, b[64] = {0};
    sys_random(a, sizeof(a));
    sys_random(b, sizeof(b));
    CHECK(memcmp(a, b, sizeof(a)) != 0);
    sys_random(NULL, 0);
}

TEST(mem_maps_zeroed_pages_and_drops_them)
{
    void *p;
    usize size = sys_page_size() * 4;
    CHECK_INT(sys_mem_map(size, &p), 0);
    u8 *bytes = p;
    CHECK_INT(bytes[size - 1], 0);
    bytes[0] = 7;
    CHECK_INT(sys_mem_drop(p, size), 0);
    CHECK_INT(bytes[0], 0);
    sys_mem_unmap(p, size);
    CHECK_INT(sys_mem_map(SIZE_MAX / 2, &p), -ENOMEM);
    sys_mem_trim();
}

#ifdef COB_DEBUG
TEST(faults_hit_the_call_they_are_set_for)
{
    Str cwd;
    CHECK(sys_fault_set(2, EIO, false));
    CHECK_INT(sys_cwd(&arena, &cwd), 0);
    CHECK_INT(sys_cwd(&arena, &cwd), -EIO);
    CHECK_INT(sys_cwd(&arena, &cwd), 0);
    CHECK_INT(sys_fault_count(), 3);
    CHECK(sys_fault_set(1, EIO, true));
    CHECK_INT(sys_cwd(&arena, &cwd), -EIO);
    CHECK_INT(sys_cwd(&arena, &cwd), -EIO);
    CHECK(sys_fault_set(0, 0, false));
    CHECK_INT(sys_cwd(&arena, &cwd), 0);
    arena_deinit(&arena);
}
#endif
