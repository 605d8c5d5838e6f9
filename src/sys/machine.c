/* sys/machine.c -- who uses this machine, its network interfaces, and becoming another program. */
#include "sys/call.h"

#include <grp.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pwd.h>
#include <unistd.h>

enum { USER_SIZE_MAX = 1 << 20 };

/* A buffer for the databases' functions, one size larger each time. */
static char *next_buf(Arena *a, usize *size)
{
    *size = *size ? *size * 4 : 1024;
    return *size <= USER_SIZE_MAX ? arena_alloc(a, *size, 1) : NULL;
}

int sys_user_find(Arena *a, u32 uid, SysUser *ret)
{
    FAULT();
    AUTO(Scratch) s = scratch_begin(a);
    char *buf;
    for (usize size = 0; (buf = next_buf(s.arena, &size));) {
        struct passwd entry, *found = NULL;
        int err = getpwuid_r((uid_t)uid, &entry, buf, size, &found);
        if (err == ERANGE || err == EINTR) continue;
        if (err) return -err;
        if (!found) return -ENOENT;
        *ret = (SysUser){
            .uid = found->pw_uid,
            .gid = found->pw_gid,
            .name = str_dup(a, str_z(found->pw_name)),
            .home = str_dup(a, str_z(found->pw_dir)),
            .shell = str_dup(a, str_z(found->pw_shell)),
        };
        return 0;
    }
    return -ENOMEM;
}

int sys_user_named(Str name, u32 *ret_uid, u32 *ret_gid)
{
    FAULT();
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *name_z = str_dup_z(s.arena, name);
    char *buf;
    for (usize size = 0; (buf = next_buf(s.arena, &size));) {
        struct passwd entry, *found = NULL;
        int err = getpwnam_r(name_z, &entry, buf, size, &found);
        if (err == ERANGE || err == EINTR) continue;
        if (err) return -err;
        if (!found) return -ENOENT;
        *ret_uid = found->pw_uid;
        *ret_gid = found->pw_gid;
        return 0;
    }
    return -ENOMEM;
}

int sys_group_named(Str name, u32 *ret_gid)
{
    FAULT();
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *name_z = str_dup_z(s.arena, name);
    char *buf;
    for (usize size = 0; (buf = next_buf(s.arena, &size));) {
        struct group entry, *found = NULL;
        int err = getgrnam_r(name_z, &entry, buf, size, &found);
        if (err == ERANGE || err == EINTR) continue;
        if (err) return -err;
        if (!found) return -ENOENT;
        *ret_gid = found->gr_gid;
        return 0;
    }
    return -ENOMEM;
}

int sys_user_groups_init(Str user, u32 gid)
{
    FAULT();
    AUTO(Scratch) s = scratch_begin(NULL);
    return RETRY_INT(initgroups(str_dup_z(s.arena, user), (gid_t)gid));
}

int sys_exec(Str path, char *const *argv, char *const *env)
{
    FAULT();
    PATH_Z(path_text, path);
    for (int fd = 0; fd <= 2; fd++) (void)!sys_set_cloexec(fd, false);
    sys_signal_unblock_all();
    return RETRY_INT(execve(path_text.z, argv, env));
}

static void copy_addr(SysAddr *ret, const struct sockaddr *from)
{
    ret->len =
        from->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    memcpy(&ret->storage, from, ret->len);
}

static bool is_shown(const struct ifaddrs *i)
{
    if ((i->ifa_flags & (IFF_UP | IFF_RUNNING)) != (IFF_UP | IFF_RUNNING) || !i->ifa_addr)
        return false;
    return i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6;
}

static void find_mac(const struct ifaddrs *list, const char *name, u8 ret[6])
{
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_PACKET || strcmp(i->ifa_name, name) != 0)
            continue;
        memcpy(ret, ((const struct sockaddr_ll *)(const void *)i->ifa_addr)->sll_addr, 6);
        return;
    }
}

int sys_interfaces(Arena *a, SysInterface **ret, u32 *ret_len)
{
    FAULT();
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) < 0) return -errno;
    u32 n = 0;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) n += is_shown(i);
    SysInterface *out = arena_alloc(a, sizeof(*out) * (n ? n : 1), _Alignof(SysInterface));
    u32 at = 0;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
        if (!is_shown(i)) continue;
        SysInterface *one = &out[at++];
        one->name = str_dup(a, str_z(i->ifa_name));
        one->is_internal = (i->ifa_flags & IFF_LOOPBACK) != 0;
        copy_addr(&one->addr, i->ifa_addr);
        if (i->ifa_netmask) copy_addr(&one->netmask, i->ifa_netmask);
        find_mac(list, i->ifa_name, one->mac);
    }
    freeifaddrs(list);
    *ret = out;
    *ret_len = n;
    return 0;
}
