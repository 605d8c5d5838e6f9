#!/usr/bin/env bash
# tests/fuzz/run.sh BUILD SECONDS [substring...] -- every fuzz target for SECONDS, with ASan and UBSan.
#
# A target is tests/fuzz/NAME_fuzz.c; its seeds, if any, are in tests/fuzz/seeds/NAME, and what finds new
# ways is kept in BUILD/fuzz/corpus/NAME. An input that breaks something is left in BUILD/fuzz/NAME-*; make
# it a seed and a unit test. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${1:-build}
SECONDS_EACH=${2:-30}
shift 2 2>/dev/null || shift $#
OUT=$BUILD/fuzz
CLANG=${CLANG:-clang}
FLAGS="-std=gnu17 -D_GNU_SOURCE -DCOB_DEBUG -Isrc -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
LIBS="-lssl -lcrypto -lnghttp2 -lcares -luring -lfyaml -lbrotlienc -lbrotlidec -lzstd -ldeflate -lz"
export UBSAN_OPTIONS=print_stacktrace=1
passed=0
failed=0
mkdir -p "$OUT/obj" "$OUT/corpus"

# The layers without the engine, instrumented.
newest_header=$(find src -name '*.[h]' -o -name '*.def' | xargs ls -t | head -n 1)
compile() {
    local object
    object=$OUT/obj/$(tr / _ <<<"${1%.c}").o
    [ "$object" -nt "$1" ] && [ "$object" -nt "$newest_header" ] && return 0
    # shellcheck disable=SC2086
    $CLANG $FLAGS -fsanitize=fuzzer-no-link -c -o "$object" "$1"
}
export -f compile
export OUT FLAGS CLANG newest_header
rm -f "$OUT/lib.a"
find src/util src/sys src/codec src/loop src/net src/http src/syntax src/resolve src/install -name '*.c' -not -name '*_test.c' -print0 |
    xargs -0 -n 1 -P 2 bash -c 'compile "$0"' || { echo 'fuzz: cannot be built'; echo '0 passed, 1 failed'; exit 1; }
find src/util src/sys src/codec src/loop src/net src/http src/syntax src/resolve src/install -name '*.c' -not -name '*_test.c' |
    sed "s#/#_#g; s#^#$OUT/obj/#; s#c\$#o#" | xargs ar rcs "$OUT/lib.a"

is_wanted() {
    local name=$1 part
    shift
    [ $# -eq 0 ] && return 0
    for part in "$@"; do [[ $name == *$part* ]] && return 0; done
    return 1
}

for source in tests/fuzz/*_fuzz.c; do
    name=$(basename "$source" _fuzz.c)
    is_wanted "$name" "$@" || continue
    mkdir -p "$OUT/corpus/$name"
    seeds=$OUT/corpus/$name
    [ ! -d "tests/fuzz/seeds/$name" ] || seeds="$seeds tests/fuzz/seeds/$name"
    # shellcheck disable=SC2086
    if $CLANG $FLAGS -fsanitize=fuzzer -o "$OUT/$name" "$source" "$OUT/lib.a" -licuuc -licui18n $LIBS -lm -lpthread &&
        "$OUT/$name" -max_total_time="$SECONDS_EACH" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
            -artifact_prefix="$OUT/$name-" $seeds >"$OUT/$name.log" 2>&1; then
        passed=$((passed + 1))
        echo "$name: $(sed -n 's/stat::number_of_executed_units: */runs: /p' "$OUT/$name.log")"
    else
        failed=$((failed + 1))
        echo "FAIL $name: $OUT/$name.log"
        tail -n 40 "$OUT/$name.log" 2>/dev/null
    fi
done
# What programs can call, with the debug binary: other seeds each day.
if [ -x "$BUILD/cob-debug" ] && is_wanted api "$@"; then
    first=$(($(date +%j) * 1000))
    if bash tests/fuzz/api.sh "$BUILD/cob-debug" $first $((first + SECONDS_EACH * 2)) 4000 >"$OUT/api.log" 2>&1; then
        passed=$((passed + 1))
        echo "api: $(tail -n 1 "$OUT/api.log")"
    else
        failed=$((failed + 1))
        echo "FAIL api: $OUT/api.log"
        tail -n 40 "$OUT/api.log"
    fi
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
