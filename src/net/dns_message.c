/* net/dns_message.c -- reading messages of RFC 1035, section 4. */
#include "net/dns.h"

#include "util/buf.h"

#include <netinet/in.h>
#include <string.h>

enum {
    HEAD_SIZE = 12,
    JUMPS_MAX = 64,      /* compression pointers in one name */
    NAME_MAX_LEN = 1024, /* as text, with escapes */
};

u16 dns_read_u16(Str m, usize at)
{
    if (at + 2 > m.n) return 0;
    return (u16)((u8)m.p[at] << 8 | (u8)m.p[at + 1]);
}

u32 dns_read_u32(Str m, usize at)
{
    return (u32)dns_read_u16(m, at) << 16 | dns_read_u16(m, at + 2);
}

static void push_label(Buf *text, Str label)
{
    if (text->len) buf_push_char(text, '.');
    for (usize i = 0; i < label.n; i++) {
        u8 c = (u8)label.p[i];
        if (c == '.' || c == '\\')
            buf_fmt(text, "\\%c", c);
        else if (c <= ' ' || c >= 127)
            buf_fmt(text, "\\%03u", c);
        else
            buf_push_char(text, (char)c);
    }
}

bool dns_read_name(Str m, Arena *a, usize *at, Str *ret)
{
    AUTO(Buf) text = {.max = NAME_MAX_LEN};
    usize i = *at, end = 0;
    for (u32 jumps = 0; jumps < JUMPS_MAX;) {
        if (i >= m.n) return false;
        u8 n = (u8)m.p[i];
        if (n >= 0xc0) {
            if (i + 2 > m.n) return false;
            if (!end) end = i + 2;
            i = dns_read_u16(m, i) & 0x3fff;
            jumps++;
            continue;
        }
        if (n > 63 || i + 1 + n > m.n) return false;
        if (!n) {
            *at = end ? end : i + 1;
            *ret = str_dup(a, buf_str(&text));
            return !text.full;
        }
        push_label(&text, (Str){m.p + i + 1, n});
        if (text.full) return false;
        i += 1U + n;
    }
    return false;
}

bool dns_reader_init(DnsReader *r, Str m)
{
    if (m.n < HEAD_SIZE) return false;
    *r = (DnsReader){.message = m, .at = HEAD_SIZE, .left = dns_read_u16(m, 6)};
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 n = dns_read_u16(m, 4); n; n--) {
        Str name;
        if (!dns_read_name(m, s.arena, &r->at, &name)) return false;
        r->at += 4;
    }
    return r->at <= m.n;
}

int dns_reader_next(DnsReader *r, Arena *a, DnsRecord *ret)
{
    enum { FIXED = 10 };
    Str m = r->message;
    if (!r->left) return 0;
    DnsRecord record = {0};
    if (!dns_read_name(m, a, &r->at, &record.name) || r->at + FIXED > m.n) return -1;
    record.type = dns_read_u16(m, r->at);
    record.class = dns_read_u16(m, r->at + 2);
    record.ttl = dns_read_u32(m, r->at + 4);
    usize n = dns_read_u16(m, r->at + 8);
    r->at += FIXED;
    if (r->at + n > m.n) return -1;
    record.data = (Str){m.p + r->at, n};
    record.data_at = r->at;
    r->at += n;
    r->left--;
    *ret = record;
    return 1;
}

bool dns_read_address(const DnsRecord *r, SysAddr *ret)
{
    enum { TYPE_A = 1 };
    SysAddr addr = {0};
    struct sockaddr_in *v4 = (void *)&addr.storage;
    struct sockaddr_in6 *v6 = (void *)&addr.storage;
    bool is_v4 = r->type == TYPE_A;
    if (r->data.n != (is_v4 ? sizeof(v4->sin_addr) : sizeof(v6->sin6_addr))) return false;
    addr.any.sa_family = is_v4 ? AF_INET : AF_INET6;
    addr.len = is_v4 ? sizeof(*v4) : sizeof(*v6);
    memcpy(is_v4 ? (void *)&v4->sin_addr : (void *)&v6->sin6_addr, r->data.p, r->data.n);
    *ret = addr;
    return true;
}
