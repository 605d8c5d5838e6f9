/* sys/machine.c -- who uses this machine, and its network interfaces. */
#include "sys/call.h"

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pwd.h>
#include <unistd.h>

enum { USER_SIZE_MAX = 1 << 20 };

int sys_user_find(Arena *a, u32 uid, SysUser *ret)
{
    FAULT();
    AUTO(Scratch) s = scratch_begin(a);
    for (usize size = 1024; size <= USER_SIZE_MAX; size *= 4) {
        char *buf = arena_alloc(s.arena, size, 1);
        struct passwd entry, *found = NULL;
        int err = getpwuid_r((uid_t)uid, &entry, buf, size, &found);
        if (err == ERANGE) continue;
        if (err == EINTR) {
            size /= 4;
            continue;
        }
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
