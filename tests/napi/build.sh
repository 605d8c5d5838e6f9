#!/usr/bin/env bash
# tests/napi/build.sh BUILD -- compiles each add-on here to BUILD/test/napi; "N passed, N failed".
set -u
BUILD=$1
HERE=$(dirname "$0")
OUT=$BUILD/test/napi
mkdir -p "$OUT"
passed=0
failed=0
for source in "$HERE"/*.c; do
    name=$(basename "$source" .c)
    if "${CC:-gcc}" -std=gnu17 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC -I"$HERE/../../src" \
        -o "$OUT/$name.node" "$source" -lpthread; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
printf 'no library\n' >"$OUT/broken.node"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
