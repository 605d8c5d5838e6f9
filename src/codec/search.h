/* codec/search.h -- where a sequence of bytes or of 16-bit units occurs in another.
 *
 * Time is linear in the two lengths whatever they hold.  An empty needle is not asked for. */
#pragma once

#include "util/base.h"

/* The answer when there is no occurrence. */
#define SEARCH_NONE ((usize)-1)

/* The first and the last occurrence in `n` bytes of a needle of `m` bytes, m > 0. */
usize search_bytes(const u8 *p, usize n, const u8 *needle, usize m);
usize search_bytes_last(const u8 *p, usize n, const u8 *needle, usize m);
/* The same for 16-bit units: n and m and the answer count units, neither pointer need be aligned.
 */
usize search_units(const u8 *p, usize n, const u8 *needle, usize m);
usize search_units_last(const u8 *p, usize n, const u8 *needle, usize m);
