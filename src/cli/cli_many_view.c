/* cli/cli_many_view.c -- how the output of several scripts looks.
 *
 * --parallel and --sequential put a label before each line.  --filter names package and script; on
 * a terminal it keeps the lines of each package together: those that run are drawn at the bottom,
 * with their last lines, and what has ended is printed once and for all above. */
#include "cli/many.h"

#include <stdio.h>
#include <string.h>

enum { NS_PER_MS = 1000000, MS_PER_S = 1000, LIVE_LINES_MAX = 10, DRAW_MS = 30 };

static void write_out(int fd, const Buf *b)
{
    (void)!sys_write_all(fd, buf_str(b));
}

void cli_many_view_init(Many *m)
{
    for (int fd = 1; fd <= 2; fd++) m->paint[fd] = cli_paint(fd);
    m->is_live = m->mode == MANY_TREE && sys_tty_is(1) && m->paint[1].off[0];
    for (u32 i = 0; i < m->jobs.len; i++)
        m->label_width = MAX(m->label_width, (u32)m->jobs.at[i].label.n);
}

static void put_label(Many *m, const ManyJob *job, int fd, Buf *b)
{
    static const char *const colors[] = {"\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m",
                                         "\x1b[34m"};
    const CliPaint *p = &m->paint[fd];
    u32 i = (u32)(job - m->jobs.at);
    if (m->mode == MANY_TREE) {
        (void)buf_fmt(b, "%.*s %.*s: ", STR_ARG(job->label), STR_ARG(job->steps[job->step].event));
        return;
    }
    (void)buf_fmt(b, "%s%-*.*s%s | ", p->off[0] ? colors[i % COUNT(colors)] : "",
                  (int)m->label_width, STR_ARG(job->label), p->off);
}

/* Keeps the last lines when only those are to be seen. */
static void keep_line(Many *m, ManyJob *job, Str line)
{
    (void)buf_push(&job->shown, line);
    (void)buf_push_char(&job->shown, '\n');
    u32 n_max = m->options->elide_lines, n = 0;
    if (!n_max) return;
    for (usize i = 0; i < job->shown.len; i++) n += job->shown.p[i] == '\n';
    for (; n > n_max; n--, job->n_elided++) {
        const char *end = memchr(job->shown.p, '\n', job->shown.len);
        buf_drop(&job->shown, (usize)(end - job->shown.p) + 1);
    }
}

void cli_many_view_line(Many *m, ManyJob *job, int fd, Str line)
{
    if (m->is_live) {
        keep_line(m, job, line);
        m->is_changed = true;
        return;
    }
    AUTO(Buf) b = {0};
    if (m->mode == MANY_TREE) fd = 1;
    put_label(m, job, fd, &b);
    (void)buf_push(&b, line);
    (void)buf_push_char(&b, '\n');
    write_out(fd, &b);
}

static void put_duration(Buf *b, u64 ns)
{
    u64 ms = ns / NS_PER_MS;
    if (ms < MS_PER_S)
        (void)buf_fmt(b, "%llums", (unsigned long long)ms);
    else
        (void)buf_fmt(b, "%.2fs", (f64)ms / MS_PER_S);
}

static void put_end(Many *m, const ManyJob *job, Buf *b)
{
    const char *abbrev = job->end.signal ? sigabbrev_np(job->end.signal) : NULL;
    bool is_tree = m->mode == MANY_TREE && !m->is_live;
    if (job->end.signal) {
        (void)buf_fmt(b, "%sSIG%s",
                      is_tree ? "Signaled with code " : "Signaled: ", abbrev ? abbrev : "?");
    } else if (job->end.code || is_tree) {
        (void)buf_fmt(b, "Exited with code %d", job->end.code);
    } else {
        (void)buf_push(b, S("Done in "));
        put_duration(b, job->end_ns - job->start_ns);
    }
}

/* ---- On a terminal ----------------------------------------------------------------------------
 */

static void put_header(const CliPaint *p, const ManyJob *job, Buf *b)
{
    const ManyStep *step = &job->steps[job->step];
    i64 end = str_find(step->text, '\n');
    Str first = end < 0 ? step->text : str_slice(step->text, 0, (usize)end);
    (void)buf_fmt(b, "%s%.*s%s %.*s %s$ %.*s%s\n", p->bold, STR_ARG(job->label), p->off,
                  STR_ARG(step->event), p->dim, STR_ARG(first), p->off);
}

/* At most `width` characters, without escape sequences. */
static void put_cut(Buf *b, Str line, u32 width)
{
    for (usize i = 0; i < line.n && width; i++) {
        u8 c = (u8)line.p[i];
        if (c == 0x1b && i + 1 < line.n && line.p[i + 1] == '[') {
            i += 2;
            while (i < line.n && (line.p[i] < '@' || line.p[i] > '~')) i++;
            continue;
        }
        if (c < 0x20) c = ' ';
        if ((c & 0xc0) != 0x80) width--;
        (void)buf_push_char(b, (char)c);
    }
    (void)buf_push_char(b, '\n');
}

static void erase_live(Many *m, Buf *b)
{
    for (u32 i = 0; i < m->live_rows; i++) (void)buf_push(b, S("\x1b[1A\x1b[2K"));
    m->live_rows = 0;
}

static void put_live_job(Many *m, const ManyJob *job, Buf *b, u32 cols, u32 n_lines)
{
    const CliPaint *p = &m->paint[1];
    AUTO(Buf) header = {0};
    put_header(p, job, &header);
    Str text = buf_str(&job->shown), head = buf_str(&header);
    put_cut(b, str_slice(head, 0, head.n - 1), cols);
    m->live_rows++;
    usize from = text.n;
    for (u32 n = 0; from; from--)
        if (text.p[from - 1] == '\n' && n++ == n_lines) break;
    Str rest = str_skip(text, from), line;
    while (rest.n && str_next(&rest, '\n', &line) && (rest.n || line.n)) {
        (void)buf_fmt(b, "%s\xe2\x94\x82%s ", p->cyan, p->off);
        put_cut(b, line, cols - 2);
        m->live_rows++;
    }
    (void)buf_fmt(b, "%s\xe2\x94\x94\xe2\x94\x80 Running...%s\n", p->cyan, p->off);
    m->live_rows++;
}

static void put_live(Many *m, Buf *b)
{
    u32 cols = 80, rows = 24, n_running = 0;
    (void)!sys_tty_size(1, &cols, &rows);
    if (cols < 10) cols = 10;
    for (u32 i = 0; i < m->jobs.len; i++) n_running += m->jobs.at[i].state == MANY_RUNNING;
    if (!n_running || !rows) return;
    u32 room = rows > 2 ? (rows - 2) / n_running : 0;
    u32 n_lines = room > 3 ? MIN(room - 2, (u32)LIVE_LINES_MAX) : 1;
    u32 n_jobs = MIN(n_running, rows > 2 ? MAX((rows - 2) / (n_lines + 2), 1u) : 1u);
    for (u32 i = 0; i < m->jobs.len && n_jobs; i++) {
        if (m->jobs.at[i].state != MANY_RUNNING) continue;
        put_live_job(m, &m->jobs.at[i], b, cols, n_lines);
        n_jobs--;
    }
}

/* Begin and end of a synchronised update, for terminals that know it. */
static const Str BEGIN = {"\x1b[?2026h", 8}, END = {"\x1b[?2026l", 8};

static void print_finished(Many *m, ManyJob *job, Buf *b)
{
    const CliPaint *p = &m->paint[1];
    put_header(p, job, b);
    if (job->n_elided)
        (void)buf_fmt(b, "%s\xe2\x94\x82%s %s[%u lines elided]%s\n", p->cyan, p->off, p->dim,
                      job->n_elided, p->off);
    Str rest = buf_str(&job->shown), line;
    while (rest.n && str_next(&rest, '\n', &line) && (rest.n || line.n))
        (void)buf_fmt(b, "%s\xe2\x94\x82%s %.*s\n", p->cyan, p->off, STR_ARG(line));
    bool is_good = !job->end.code && !job->end.signal;
    (void)buf_fmt(b, "%s\xe2\x94\x94\xe2\x94\x80 ", is_good ? p->cyan : p->red);
    put_end(m, job, b);
    (void)buf_fmt(b, "%s\n", p->off);
    Buf_deinit(&job->shown);
    job->shown = (Buf){0};
    job->n_elided = 0;
}

void cli_many_view_step_end(Many *m, ManyJob *job)
{
    AUTO(Buf) b = {0};
    if (m->is_live) {
        (void)buf_push(&b, BEGIN);
        erase_live(m, &b);
        print_finished(m, job, &b);
        (void)buf_push(&b, END);
        write_out(1, &b);
        m->is_changed = true;
        return;
    }
    int fd = m->mode == MANY_TREE ? 1 : 2;
    put_label(m, job, fd, &b);
    put_end(m, job, &b);
    (void)buf_push_char(&b, '\n');
    write_out(fd, &b);
}

u64 cli_many_view_refresh(Many *m)
{
    if (!m->is_live || !m->is_changed) return UINT64_MAX;
    u64 now = sys_monotonic_ns(), next = m->drawn_ns + (u64)DRAW_MS * NS_PER_MS;
    if (m->drawn_ns && now < next) return next - now;
    m->drawn_ns = now;
    m->is_changed = false;
    AUTO(Buf) b = {0};
    (void)buf_push(&b, BEGIN);
    erase_live(m, &b);
    put_live(m, &b);
    (void)buf_push(&b, END);
    if (b.len > BEGIN.n + END.n) write_out(1, &b);
    return UINT64_MAX;
}
