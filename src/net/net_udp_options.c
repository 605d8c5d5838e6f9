/* net/net_udp_options.c -- options of datagram sockets: broadcasting, hops, groups. */
#include "net/net.h"

#include <netinet/in.h>
#include <string.h>

static bool is_v6(const NetUdp *u)
{
    SysAddr addr;
    return sys_socket_name(u->fd, &addr) == 0 && addr.any.sa_family == AF_INET6;
}

int net_udp_set_v6_only(int fd, const SysAddr *addr)
{
    if (addr->any.sa_family != AF_INET6) return 0;
    return sys_sockopt_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
}

int net_udp_set_option(const NetUdp *u, NetUdpOption option, int value)
{
    bool v6 = is_v6(u);
    int level = v6 ? IPPROTO_IPV6 : IPPROTO_IP;
    switch (option) {
    case NET_UDP_BROADCAST: return sys_sockopt_set(u->fd, SOL_SOCKET, SO_BROADCAST, value != 0);
    case NET_UDP_TTL: return sys_sockopt_set(u->fd, level, v6 ? IPV6_UNICAST_HOPS : IP_TTL, value);
    case NET_UDP_MULTICAST_TTL:
        return sys_sockopt_set(u->fd, level, v6 ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL, value);
    case NET_UDP_MULTICAST_LOOPBACK:
        return sys_sockopt_set(u->fd, level, v6 ? IPV6_MULTICAST_LOOP : IP_MULTICAST_LOOP, value);
    }
    return -EINVAL;
}

int net_udp_set_interface(const NetUdp *u, const SysAddr *addr)
{
    if (is_v6(u))
        return sys_sockopt_set(u->fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)sys_addr_scope(addr));
    const struct sockaddr_in *v4 = (const void *)&addr->storage;
    return sys_sockopt_set_bytes(u->fd, IPPROTO_IP, IP_MULTICAST_IF, &v4->sin_addr,
                                 sizeof(v4->sin_addr));
}

static int join_v6(const NetUdp *u, const SysAddr *group, const SysAddr *interface, bool joins)
{
    const struct sockaddr_in6 *g = (const void *)&group->storage;
    struct ipv6_mreq r = {.ipv6mr_multiaddr = g->sin6_addr};
    if (interface) r.ipv6mr_interface = sys_addr_scope(interface);
    int name = joins ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP;
    return sys_sockopt_set_bytes(u->fd, IPPROTO_IPV6, name, &r, sizeof(r));
}

int net_udp_join(const NetUdp *u, const SysAddr *group, const SysAddr *interface, bool joins)
{
    if (is_v6(u)) return join_v6(u, group, interface, joins);
    const struct sockaddr_in *g = (const void *)&group->storage;
    const struct sockaddr_in *i = interface ? (const void *)&interface->storage : NULL;
    struct ip_mreq r = {.imr_multiaddr = g->sin_addr};
    if (i) r.imr_interface = i->sin_addr;
    int name = joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
    return sys_sockopt_set_bytes(u->fd, IPPROTO_IP, name, &r, sizeof(r));
}

int net_udp_join_source(const NetUdp *u, const SysAddr *source, const SysAddr *group,
                        const SysAddr *interface, bool joins)
{
    struct group_source_req r = {0};
    memcpy(&r.gsr_source, &source->storage, source->len);
    memcpy(&r.gsr_group, &group->storage, group->len);
    if (interface) r.gsr_interface = sys_addr_scope(interface);
    int level = is_v6(u) ? IPPROTO_IPV6 : IPPROTO_IP;
    int name = joins ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP;
    return sys_sockopt_set_bytes(u->fd, level, name, &r, sizeof(r));
}
