#!/usr/bin/env bash
# tests/compat/paths.sh [DIR...] -- are the programs that the fast path and the full path make of
# every source below the folders (default: the tree's own) the same?  Needs a built build/.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
"${CC:-gcc}" -std=gnu17 -D_GNU_SOURCE -Isrc -O1 -g -no-pie -o "$BUILD/paths" tests/compat/paths.c \
    "$BUILD/obj/release/libcob.a" -lpthread -lm
# names/arrow.mjs gets its name in another way; what esm-redeclaration tests is that the engine finds
# what the fast path does not look for.
find "${@:-.}" -type f -regextype posix-extended -regex '.*\.[mc]?[jt]sx?' -not -path '*/build/*' \
    -not -path '*/names/arrow.mjs' -not -path '*/esm-redeclaration/*' |
    "$BUILD/paths"
