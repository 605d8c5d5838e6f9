/* install/pkg_diff_test.c -- diffs that fit, and those that do not. */
#include "install/pkg_diff.h"
#include "util/test.h"

static Str applied(Str diff, Str old, Buf *out, const char **error)
{
    PkgDiff d = {.rest = diff};
    PkgDiffFile file;
    buf_clear(out);
    *error = NULL;
    if (!pkg_diff_next(&d, &file)) return S("nothing");
    return pkg_diff_apply(&file, old, out, error) ? buf_str(out) : S("refused");
}

TEST(diff_changes_lines_where_they_are)
{
    AUTO(Buf) out = {0};
    const char *e;
    Str diff = S("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
    CHECK_STR(applied(diff, S("one\ntwo\nthree\nfour\n"), &out, &e), "one\n2\nthree\nfour\n");
    /* Something was put in front. */
    CHECK_STR(applied(diff, S("zero\none\ntwo\nthree\n"), &out, &e), "zero\none\n2\nthree\n");
    CHECK_STR(applied(diff, S("one\n2\nthree\n"), &out, &e), "refused");
    CHECK_STR(applied(diff, S(""), &out, &e), "refused");
    /* Ends of lines stay those of the file. */
    CHECK_STR(applied(diff, S("one\r\ntwo\r\nthree\r\n"), &out, &e), "one\r\n2\nthree\r\n");
}

TEST(diff_knows_of_missing_ends)
{
    AUTO(Buf) out = {0};
    const char *e;
    Str diff = S("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-one\n\\ No newline at end of file\n+one\n+two\n"
                 "\\ No newline at end of file\n");
    CHECK_STR(applied(diff, S("one"), &out, &e), "one\ntwo");
    diff = S("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n");
    CHECK_STR(applied(diff, S(""), &out, &e), "new\n");
    diff = S("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n");
    CHECK_STR(applied(diff, S("one\n"), &out, &e), "");
    diff = S("--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+two\n");
    CHECK_STR(applied(diff, S("one\nthree\n"), &out, &e), "one\ntwo\nthree\n");
}

TEST(diff_of_several_files)
{
    PkgDiff d = {.rest = S("remarks\ndiff --git a/a b/a\nold mode 100644\nnew mode 100755\n"
                           "diff --git a/b b/b\nnew file mode 100644\nindex 00..11\n"
                           "--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+--- x\n"
                           "diff --git a/c b/d\nrename from c\nrename to d\n"
                           "diff --git a/e b/e\ndeleted file mode 100644\n--- a/e\n+++ /dev/null\n"
                           "@@ -1 +0,0 @@\n-x\n--- a/plain\n+++ b/plain\n@@ -1 +1 @@\n-x\n+y\n")};
    PkgDiffFile f;
    CHECK(pkg_diff_next(&d, &f));
    CHECK_STR(f.old_path, "a");
    CHECK(f.mode == 0755 && !f.hunks.n);
    CHECK(pkg_diff_next(&d, &f));
    CHECK(!f.old_path.n && f.mode == 0644);
    CHECK_STR(f.new_path, "b");
    CHECK(pkg_diff_next(&d, &f));
    CHECK_STR(f.old_path, "c");
    CHECK_STR(f.new_path, "d");
    CHECK(pkg_diff_next(&d, &f));
    CHECK_STR(f.old_path, "e");
    CHECK(!f.new_path.n);
    CHECK(pkg_diff_next(&d, &f));
    CHECK_STR(f.new_path, "plain");
    CHECK(!pkg_diff_next(&d, &f) && !d.error);
}

TEST(diff_that_is_broken)
{
    const Str broken[] = {
        S("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n x\n"),
        S("--- a/x\n+++ b/x\n@@ nonsense\n"),
        S("--- a/x\n+++ b/x\n@@ -1 +1 @@\n?x\n"),
        S("diff --git a/x b/x\nGIT binary patch\n"),
    };
    for (u32 i = 0; i < COUNT(broken); i++) {
        PkgDiff d = {.rest = broken[i]};
        PkgDiffFile f;
        CHECK(!pkg_diff_next(&d, &f) && d.error);
    }
    PkgDiff none = {.rest = S("only words\n")};
    PkgDiffFile f;
    CHECK(!pkg_diff_next(&none, &f) && !none.error);
}
