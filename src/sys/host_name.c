/* sys/host_name.c -- names of hosts, as the system resolves them. */
#include "sys/call.h"

#include <netdb.h>

/* The codes of util/err.def. */
static int error_of(int eai)
{
    switch (eai) {
    case EAI_ADDRFAMILY: return -3000;
    case EAI_AGAIN: return -3001;
    case EAI_BADFLAGS: return -3002;
    case EAI_FAIL: return -3004;
    case EAI_FAMILY: return -3005;
    case EAI_MEMORY: return -3006;
    case EAI_NODATA: return -3007;
    case EAI_NONAME: return -3008;
    case EAI_OVERFLOW: return -3009;
    case EAI_SERVICE: return -3010;
    case EAI_SOCKTYPE: return -3011;
    case EAI_SYSTEM: return errno ? -errno : -3004;
    default: return -4094;
    }
}

int sys_host_addrs(const char *host, int family, int flags, SysAddr *ret, u32 max)
{
    FAULT();
    struct addrinfo hints = {.ai_family = family, .ai_flags = flags, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int rc = getaddrinfo(host, NULL, &hints, &list);
    if (rc) return error_of(rc);
    u32 n = 0;
    for (struct addrinfo *i = list; i && n < max; i = i->ai_next) {
        if (i->ai_family != AF_INET && i->ai_family != AF_INET6) continue;
        ret[n] = (SysAddr){.len = i->ai_addrlen};
        memcpy(&ret[n++].storage, i->ai_addr, i->ai_addrlen);
    }
    freeaddrinfo(list);
    return n ? (int)n : -3008;
}

int sys_host_name(Arena *a, const SysAddr *addr, Str *ret_host, Str *ret_service)
{
    FAULT();
    char host[NI_MAXHOST], service[NI_MAXSERV];
    int rc = getnameinfo(&addr->any, addr->len, host, sizeof(host), service, sizeof(service),
                         NI_NAMEREQD);
    if (rc) return error_of(rc);
    *ret_host = str_dup(a, str_z(host));
    *ret_service = str_dup(a, str_z(service));
    return 0;
}
