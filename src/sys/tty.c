/* sys/tty.c -- terminals: size, modes, pairs. */
#include "sys/call.h"

#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The first terminal that was changed and what it was like.  `state` goes 0, 1 (being filled), 2; a
 * signal handler that finds 1 has nothing to restore. */
static struct {
    int state, fd;
    struct termios before;
} saved;

bool sys_tty_is(int fd)
{
    return isatty(fd) == 1;
}

int sys_tty_size(int fd, u32 *ret_cols, u32 *ret_rows)
{
    FAULT();
    struct winsize w;
    int rc = RETRY_INT(ioctl(fd, TIOCGWINSZ, &w));
    if (rc < 0) return rc;
    *ret_cols = w.ws_col;
    *ret_rows = w.ws_row;
    return 0;
}

int sys_tty_set_size(int fd, u32 cols, u32 rows)
{
    FAULT();
    struct winsize w = {.ws_col = (u16)MIN(cols, (u32)UINT16_MAX),
                        .ws_row = (u16)MIN(rows, (u32)UINT16_MAX)};
    return RETRY_INT(ioctl(fd, TIOCSWINSZ, &w));
}

static void save(int fd, const struct termios *before)
{
    int none = 0;
    if (!__atomic_compare_exchange_n(&saved.state, &none, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return;
    }
    saved.fd = fd;
    saved.before = *before;
    __atomic_store_n(&saved.state, 2, __ATOMIC_RELEASE);
}

int sys_tty_set_mode(int fd, SysTtyMode mode)
{
    FAULT();
    struct termios t;
    int rc = RETRY_INT(tcgetattr(fd, &t));
    if (rc < 0) return rc;
    save(fd, &t);
    if (mode == SYS_TTY_NORMAL) {
        bool is_ours = __atomic_load_n(&saved.state, __ATOMIC_ACQUIRE) == 2 && saved.fd == fd;
        return is_ours ? RETRY_INT(tcsetattr(fd, TCSADRAIN, &saved.before)) : 0;
    }
    if (mode == SYS_TTY_IO) {
        cfmakeraw(&t);
    } else {
        t.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
        t.c_oflag |= ONLCR;
        t.c_cflag |= CS8;
        t.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
        t.c_cc[VMIN] = 1;
        t.c_cc[VTIME] = 0;
    }
    return RETRY_INT(tcsetattr(fd, TCSADRAIN, &t));
}

int sys_tty_restore(void)
{
    if (__atomic_load_n(&saved.state, __ATOMIC_ACQUIRE) != 2) return 0;
    int errno_before = errno;
    int rc = RETRY_INT(tcsetattr(saved.fd, TCSANOW, &saved.before));
    errno = errno_before;
    return rc;
}

int sys_pty_open(u32 cols, u32 rows, int *ret_master, int *ret_tty)
{
    FAULT();
    struct winsize w = {.ws_col = (u16)MIN(cols, (u32)UINT16_MAX),
                        .ws_row = (u16)MIN(rows, (u32)UINT16_MAX)};
    int master = RETRY_INT(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (master < 0) return master;
    int zero = 0;
    int rc = RETRY_INT(ioctl(master, TIOCSPTLCK, &zero));
    int tty = -1;
    if (rc == 0) rc = tty = RETRY_INT(ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (rc >= 0 && (cols || rows)) rc = RETRY_INT(ioctl(master, TIOCSWINSZ, &w));
    if (rc < 0) {
        sys_close(master);
        sys_close(tty);
        return rc;
    }
    *ret_master = master;
    *ret_tty = tty;
    return 0;
}

int sys_tty_flags(int fd, u32 ret_flags[4])
{
    struct termios t;
    int rc = RETRY_INT(tcgetattr(fd, &t));
    if (rc < 0) return rc;
    ret_flags[0] = t.c_iflag;
    ret_flags[1] = t.c_oflag;
    ret_flags[2] = t.c_lflag;
    ret_flags[3] = t.c_cflag;
    return 0;
}

int sys_tty_set_flags(int fd, const u32 flags[4])
{
    struct termios t;
    int rc = RETRY_INT(tcgetattr(fd, &t));
    if (rc < 0) return rc;
    t.c_iflag = flags[0];
    t.c_oflag = flags[1];
    t.c_lflag = flags[2];
    t.c_cflag = flags[3];
    return RETRY_INT(tcsetattr(fd, TCSANOW, &t));
}

int sys_tty_flush(int fd)
{
    return RETRY_INT(tcflush(fd, TCIOFLUSH));
}
