/* sys/net_test.c -- addresses, sockets, pipes, waiting, terminals. */
#include "sys/sys.h"

#include "util/mem.h"
#include "util/test.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

static Arena arena;

static Str round_trip(Str ip)
{
    SysAddr addr;
    if (sys_addr_parse(ip, 8080, &addr) < 0) return S("(refused)");
    CHECK_INT(sys_addr_port(&addr), 8080);
    return sys_addr_text(&arena, &addr);
}

TEST(addr_is_parsed_and_printed)
{
    CHECK_STR(round_trip(S("127.0.0.1")), "127.0.0.1");
    CHECK_STR(round_trip(S("::1")), "::1");
    CHECK_STR(round_trip(S("2001:DB8:0:0::1")), "2001:db8::1");
    CHECK_STR(round_trip(S("fe80::1%lo")), "fe80::1%lo");
    CHECK_STR(round_trip(S("fe80::1%1")), "fe80::1%lo");
    static const Str bad[] = {S(""),      S("localhost"),  S("1.2.3"),        S("1.2.3.256"),
                              S("::1::"), S("1.2.3.4%lo"), S("fe80::1%nope"), S("1.2.3.4\0")};
    for (u32 i = 0; i < COUNT(bad); i++) CHECK_STR(round_trip(bad[i]), "(refused)");
    char long_text[300];
    memset(long_text, ':', sizeof(long_text));
    CHECK_STR(round_trip((Str){long_text, sizeof(long_text)}), "(refused)");
    arena_deinit(&arena);
}

TEST(addr_of_unix_sockets)
{
    SysAddr addr;
    char long_path[108];
    memset(long_path, 'x', sizeof(long_path));
    CHECK_INT(sys_addr_unix(S("/tmp/sock"), &addr), 0);
    CHECK_STR(sys_addr_text(&arena, &addr), "/tmp/sock");
    CHECK_INT(sys_addr_unix(S("\0abstract"), &addr), 0);
    CHECK_STR(sys_addr_text(&arena, &addr), "\0abstract");
    CHECK_INT(sys_addr_unix((Str){long_path, 107}, &addr), 0);
    CHECK_INT(sys_addr_text(&arena, &addr).n, 107);
    CHECK_INT(sys_addr_unix((Str){long_path, 108}, &addr), -ENAMETOOLONG);
    CHECK_INT(sys_addr_unix(S(""), &addr), -EINVAL);
    CHECK_INT(sys_addr_unix(S("/a\0b"), &addr), -EINVAL);
    arena_deinit(&arena);
}

TEST(sockets_connect_and_talk)
{
    SysAddr addr, peer;
    int value = 0;
    char buf[8];
    CHECK_INT(sys_addr_parse(S("127.0.0.1"), 0, &addr), 0);
    int server = sys_socket(AF_INET, SOCK_STREAM, 0), client = sys_socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE(server >= 0 && client >= 0);
    CHECK_INT(fcntl(server, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    CHECK_INT(sys_is_nonblock(server), 1);
    CHECK_INT(sys_bind(server, &addr), 0);
    CHECK_INT(sys_listen(server, 5), 0);
    CHECK_INT(sys_accept(server, NULL), -EAGAIN);
    CHECK_INT(sys_socket_name(server, &addr), 0);
    CHECK(sys_addr_port(&addr) != 0);
    CHECK_INT(sys_connect(client, &addr), -EINPROGRESS);
    struct pollfd p = {.fd = client, .events = POLLOUT};
    CHECK_INT(sys_poll(&p, 1, UINT64_MAX), 1);
    CHECK_INT(sys_socket_error(client), 0);
    int conn = sys_accept(server, &peer);
    REQUIRE(conn >= 0);
    CHECK_STR(sys_addr_text(&arena, &peer), "127.0.0.1");
    CHECK_INT(sys_peer_name(client, &peer), 0);
    CHECK_INT(sys_addr_port(&peer), sys_addr_port(&addr));
    CHECK_INT(sys_sockopt_set(client, IPPROTO_TCP, TCP_NODELAY, 1), 0);
    CHECK_INT(sys_sockopt_get(client, IPPROTO_TCP, TCP_NODELAY, &value), 0);
    CHECK_INT(value, 1);
    CHECK_INT(sys_recv(conn, buf, sizeof(buf), 0), -EAGAIN);
    CHECK_INT(sys_send(client, "hello", 5, 0), 5);
    CHECK_INT(sys_readable_bytes(conn, &value), 0);
    CHECK_INT(value, 5);
    CHECK_INT(sys_recv(conn, buf, sizeof(buf), 0), 5);
    CHECK_INT(sys_shutdown(client, SHUT_WR), 0);
    CHECK_INT(sys_recv(conn, buf, sizeof(buf), 0), 0);
    sys_close(client);
    sys_close(conn);
    sys_close(server);
    arena_deinit(&arena);
}

TEST(socket_is_given_pages_of_a_file_in_memory)
{
    enum { SIZE = 1 << 20 };
    u8 *data = mem_new(SIZE);
    for (u32 i = 0; i < SIZE; i++) data[i] = (u8)(i * 7 + (i >> 8));
    void *p;
    int from = sys_mem_share(data, SIZE, &p);
    REQUIRE(from >= 0);
    CHECK(memcmp(p, data, SIZE) == 0);
    int fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    u8 *got = mem_new(SIZE);
    usize sent = 3, n_got = 3;
    bool was_full = false;
    while (n_got < SIZE) {
        i64 n = sys_send_file(fds[0], from, sent, SIZE - sent);
        if (n < (i64)(SIZE - sent)) was_full = true;
        if (n > 0) sent += (usize)n;
        n = sys_recv(fds[1], got + n_got, SIZE - n_got, 0);
        REQUIRE(n > 0);
        n_got += (usize)n;
    }
    CHECK(was_full);
    CHECK(memcmp(got + 3, data + 3, SIZE - 3) == 0);
    CHECK_INT(sys_send_file(fds[0], from, SIZE, 10), 0);
    sys_mem_unmap(p, SIZE);
    sys_close(from);
    sys_close(fds[0]);
    sys_close(fds[1]);
    mem_free(data);
    mem_free(got);
}

TEST(pipe_write_all_waits_on_a_full_pipe)
{
    int fds[2];
    static char big[300000];
    REQUIRE(sys_pipe(true, fds) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        sys_close(fds[1]);
        int rc = sys_set_nonblock(fds[0], false);
        AUTO(Buf) buf = {0};
        if (rc == 0) rc = sys_read_all(fds[0], SYS_FILE_MAX, &buf);
        _exit(rc == 0 && buf.len == sizeof(big) ? 0 : 1);
    }
    sys_close(fds[0]);
    CHECK_INT(sys_write_all(fds[1], (Str){big, sizeof(big)}), 0);
    sys_close(fds[1]);
    int pidfd = sys_pidfd_open(pid);
    SysExit e = {.code = 99};
    CHECK_INT(sys_child_wait(pidfd, true, &e), 1);
    CHECK_INT(e.code, 0);
}

TEST(eventfd_counts_and_poll_times_out)
{
    int fd = sys_eventfd();
    REQUIRE(fd >= 0);
    CHECK_INT(sys_eventfd_take(fd), 0);
    CHECK_INT(sys_eventfd_signal(fd), 0);
    CHECK_INT(sys_eventfd_signal(fd), 0);
    CHECK_INT(sys_eventfd_take(fd), 2);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    u64 start_ns = sys_monotonic_ns();
    CHECK_INT(sys_poll(&p, 1, 3000000), 0);
    CHECK(sys_monotonic_ns() - start_ns >= 3000000);
    int epoll = sys_epoll_open();
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd}, got;
    CHECK_INT(sys_epoll_set(epoll, EPOLL_CTL_ADD, fd, &event), 0);
    start_ns = sys_monotonic_ns();
    CHECK_INT(sys_epoll_wait(epoll, &got, 1, 3000000), 0);
    CHECK(sys_monotonic_ns() - start_ns >= 3000000);
    CHECK_INT(sys_eventfd_signal(fd), 0);
    CHECK_INT(sys_epoll_wait(epoll, &got, 1, UINT64_MAX), 1);
    CHECK_INT(got.data.fd, fd);
}

TEST(tty_size_and_modes)
{
    int master, tty;
    u32 cols, rows;
    char buf[16];
    REQUIRE(sys_pty_open(80, 24, &master, &tty) == 0);
    CHECK(sys_tty_is(tty));
    CHECK_INT(sys_tty_size(tty, &cols, &rows), 0);
    CHECK_INT(cols, 80);
    CHECK_INT(rows, 24);
    CHECK_INT(sys_tty_set_size(master, 132, 50), 0);
    CHECK_INT(sys_tty_size(tty, &cols, &rows), 0);
    CHECK_INT(cols, 132);
    CHECK_INT(sys_tty_set_mode(tty, SYS_TTY_RAW), 0);
    CHECK_INT(sys_write_all(master, S("a")), 0);
    CHECK_INT(sys_read(tty, buf, sizeof(buf)), 1); /* without a line end */
    CHECK_INT(sys_write_all(tty, S("\n")), 0);
    CHECK_INT(sys_read(master, buf, sizeof(buf)), 2);
    CHECK(!memcmp(buf, "\r\n", 2));
    CHECK_INT(sys_tty_set_mode(tty, SYS_TTY_IO), 0);
    CHECK_INT(sys_write_all(tty, S("\n")), 0);
    CHECK_INT(sys_read(master, buf, sizeof(buf)), 1);
    CHECK_INT(sys_tty_restore(), 0);
    CHECK_INT(sys_write_all(master, S("b\n")), 0);
    CHECK_INT(sys_read(tty, buf, sizeof(buf)), 2);
    CHECK_INT(sys_tty_set_mode(tty, SYS_TTY_NORMAL), 0);
    CHECK(!sys_tty_is(-1));
    CHECK_INT(sys_tty_size(sys_eventfd(), &cols, &rows), -ENOTTY);
}

TEST(host_names_are_found)
{
    SysAddr addrs[4];
    int n = sys_host_addrs("localhost", AF_INET, 0, addrs, COUNT(addrs));
    REQUIRE(n >= 1);
    AUTO(Scratch) s = scratch_begin(NULL);
    CHECK_STR(sys_addr_text(s.arena, &addrs[0]), "127.0.0.1");
    CHECK_INT(sys_host_addrs("a b", AF_INET, 0, addrs, COUNT(addrs)), -3008);
    Str host, service;
    CHECK_INT(sys_addr_parse(S("127.0.0.1"), 22, &addrs[0]), 0);
    CHECK_INT(sys_host_name(s.arena, &addrs[0], &host, &service), 0);
    CHECK_STR(host, "localhost");
    CHECK_STR(service, "ssh");
}
