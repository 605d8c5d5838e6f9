/* net/dns.h -- questions to DNS servers (c-ares) on the loop.  Names of hosts for connecting go
 * through net_lookup, which asks the system.
 *
 * A DnsChannel has a list of servers, those of /etc/resolv.conf unless it is told otherwise.
 * Nothing is read and no socket is made before the first question. */
#pragma once

#include "loop/loop.h"
#include "util/base.h"
#include "util/str.h"

typedef struct DnsChannel DnsChannel;

enum { DNS_QUERIES_MAX = 1 << 16 }; /* under way on one channel; then DNS_ENOMEM */

typedef enum {
    DNS_OK = 0,
    DNS_ENODATA = 1,
    DNS_EFORMERR = 2,
    DNS_ENOMEM = 15,
    DNS_ECANCELLED = 24,
} DnsStatus; /* c-ares's numbers; dns_status_name names all */

/* status 0 and the answer, a message of RFC 1035, valid inside; or why there is none.  May come
 * from inside dns_query when the question is malformed. */
typedef void DnsAnswer(void *data, int status, Str message);

/* timeout_ms 0, tries 0, max_timeout_ms 0: c-ares's. */
DnsChannel *dns_channel_new(Loop *loop, u32 timeout_ms, u32 tries, u32 max_timeout_ms);
/* Questions under way are answered with DNS_EDESTRUCTION.  NULL is fine. */
void dns_channel_free(DnsChannel *c);
/* class 1 is IN. */
void dns_query(DnsChannel *c, const char *name, int class, int type, DnsAnswer *fn, void *data);
/* The names of an address; the message is the host's names, each with a NUL behind it. */
void dns_reverse(DnsChannel *c, const SysAddr *addr, DnsAnswer *fn, void *data);
/* Questions under way are answered with DNS_ECANCELLED, perhaps from inside. */
void dns_channel_cancel(DnsChannel *c);
/* "1.2.3.4", "[::1]:5353", ... with commas.  Returns a status. */
NODISCARD int dns_channel_set_servers(DnsChannel *c, const char *csv);
/* One address (with its port) each; returns how many, at most `max`. */
u32 dns_channel_servers(DnsChannel *c, SysAddr *ret, u32 max);
/* Where questions come from; either may be NULL. */
void dns_channel_set_local(DnsChannel *c, const SysAddr *v4, const SysAddr *v6);
u32 dns_channel_pending(const DnsChannel *c);
/* "ENOTFOUND" of 4. */
const char *dns_status_name(int status);

/* ---- Messages ------------------------------------------------------------------------------- */

typedef struct {
    Str message;
    usize at;
    u32 left; /* records of the answer section */
} DnsReader;

typedef struct {
    Str name; /* in the arena, as are the others */
    u16 type, class;
    u32 ttl;
    Str data; /* of the message */
    usize data_at;
} DnsRecord;

/* false: malformed. */
NODISCARD bool dns_reader_init(DnsReader *r, Str message);
/* 1 and the next record of the answer section, 0 at the end, -1: malformed. */
NODISCARD int dns_reader_next(DnsReader *r, Arena *a, DnsRecord *ret);
/* The name at `*at` of the message (compressed or not); moves behind it. */
NODISCARD bool dns_read_name(Str message, Arena *a, usize *at, Str *ret);
/* The address in a record of type A (1) or AAAA (28); false: malformed. */
NODISCARD bool dns_read_address(const DnsRecord *r, SysAddr *ret);
u16 dns_read_u16(Str message, usize at); /* 0 outside */
u32 dns_read_u32(Str message, usize at);
