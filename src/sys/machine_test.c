/* sys/machine_test.c -- users and network interfaces. */
#include "sys/sys.h"
#include "util/test.h"

TEST(sys_user_find_knows_root)
{
    Arena arena = {0};
    SysUser user;
    CHECK_INT(sys_user_find(&arena, 0, &user), 0);
    CHECK_STR(user.name, "root");
    CHECK_INT(user.uid, 0);
    CHECK(user.home.n > 0);
    CHECK_INT(sys_user_find(&arena, 0x7ffffff0, &user), -ENOENT);
    arena_deinit(&arena);
}

TEST(sys_interfaces_have_addresses_and_masks)
{
    Arena arena = {0};
    SysInterface *list;
    u32 n;
    CHECK_INT(sys_interfaces(&arena, &list, &n), 0);
    for (u32 i = 0; i < n; i++) {
        CHECK(list[i].name.n > 0);
        CHECK(sys_addr_text(&arena, &list[i].addr).n > 0);
        CHECK(sys_addr_text(&arena, &list[i].netmask).n > 0);
        if (str_eq(list[i].name, S("lo"))) CHECK(list[i].is_internal);
    }
    arena_deinit(&arena);
}

TEST(sys_names_of_users_and_groups)
{
    u32 uid = 1, gid = 1;
    CHECK_INT(sys_user_named(S("root"), &uid, &gid), 0);
    CHECK_INT(uid, 0);
    CHECK_INT(gid, 0);
    CHECK_INT(sys_user_named(S("no such user"), &uid, &gid), -ENOENT);
    gid = 1;
    CHECK_INT(sys_group_named(S("root"), &gid), 0);
    CHECK_INT(gid, 0);
    CHECK_INT(sys_group_named(S(""), &gid), -ENOENT);
}

TEST(sys_exec_says_what_is_wrong)
{
    char *none[] = {NULL};
    CHECK_INT(sys_exec(S("/no/such/program"), none, none), -ENOENT);
    CHECK_INT(sys_exec(S("/etc/passwd"), none, none), -EACCES);
}
