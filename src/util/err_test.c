/* util/err_test.c */
#include "util/err.h"
#include "util/test.h"

TEST(err_knows_names_and_texts)
{
    CHECK_STR(str_z(err_name(-2)), "ENOENT");
    CHECK_STR(str_z(err_text(-2)), "no such file or directory");
    CHECK_STR(str_z(err_name(-4095)), "EOF");
    CHECK_STR(str_z(err_name(-77777)), "UNKNOWN");
    CHECK_STR(str_z(err_text(0)), "unknown error");
}
