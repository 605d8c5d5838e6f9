#!/usr/bin/env bash
# tests/run.sh BUILD -- every test; `make test` calls it when build/cob, build/cob-debug and build/unit
# are made. One line a stage, failures with their output; ends with "N passed, N failed".
#
# A stage is a program that ends with such a line of its own. One that does not get that far counts as
# failed. COB_TEST_ONLY='unit|cli' runs the stages whose names match.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${1:-build}
LOGS=$BUILD/test
MAKE="${MAKE:-make} --no-print-directory"
CC=${CC:-gcc}
SHOWN_MAX=300
passed=0
failed=0
mkdir -p "$LOGS"

export UBSAN_OPTIONS=print_stacktrace=1 # what ASan needs is in src/engine/js_sanitize.c

# Runs "$@" as the stage $1.
stage() {
    local name=$1 log begin counts ok bad rc
    shift
    [[ $name =~ ${COB_TEST_ONLY:-.} ]] || return 0
    log=$LOGS/${name//[^a-z0-9]/-}.log
    begin=$(date +%s%N)
    "$@" >"$log" 2>&1 </dev/null
    rc=$?
    counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    read -r ok bad <<<"$(sed -E 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/' <<<"${counts:-0 passed, 1 failed}")"
    [ $rc -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + ok))
    failed=$((failed + bad))
    local ms=$((($(date +%s%N) - begin) / 1000000))
    printf '%-28s %5d ok %4d failed %5d.%d s\n' "$name" "$ok" "$bad" $((ms / 1000)) $((ms % 1000 / 100))
    [ "$bad" -eq 0 ] || { echo "--- $log"; tail -n $SHOWN_MAX "$log" | grep -avE '^[0-9]+ passed, [0-9]+ failed$'; echo "---"; }
}

# Under the given environment.
with() {
    env "$@"
}

build_suite() {
    if [ "$BUILD/suite" -nt "$BUILD/obj/release/libcob.a" ] &&
        [ -z "$(find tests/suite -newer "$BUILD/suite")" ]; then
        return 0
    fi
    "$CC" -std=gnu17 -D_GNU_SOURCE -Isrc -O1 -g -no-pie -Wall -Wextra -Werror -o "$BUILD/suite" tests/suite/*.c \
        "$BUILD/obj/release/libcob.a" -lpthread -lm
}

mapfile -t JS_FILES < <(find src/builtins tests -name '*.test.js' -not -path 'tests/cli/*' | LC_ALL=C sort)

# stages_of NAME VARIANT BINARY NAME=VALUE...: command-line cases and JavaScript tests.
stages_of() {
    local name=$1 variant=$2 binary=$3
    shift 3
    stage "cli $name" with "COB_VARIANT=$variant" "$@" "$BUILD/suite" cli "$binary" tests/cli
    stage "js $name" with "COB_VARIANT=$variant" "$@" "$BUILD/suite" js "$binary" tests/prelude.js \
        "${JS_FILES[@]}"
}

stage 'tools so2obj' $MAKE test-so2obj
stage 'tools embed' $MAKE test-embed
stage 'tools check' $MAKE test-check
stage 'build of the suite' bash -c "$(declare -f build_suite); CC=$CC; BUILD=$BUILD; build_suite && echo '1 passed, 0 failed'"
stage 'add-ons' bash tests/napi/build.sh "$BUILD"
stage 'suite itself' bash tests/suite/self_test.sh "$BUILD/suite"
for io in uring epoll; do
    stage "unit $io" with COB_IO=$io "$BUILD/unit"
done
for io in uring epoll; do
    stages_of "release $io" release "$BUILD/cob" COB_IO=$io
done
stages_of 'debug' debug "$BUILD/cob-debug" COB_TEST_TIMEOUT=60
stages_of 'slow natives' slow "$BUILD/cob" COB_NO_FAST_NATIVES=1
# A collection takes a millisecond, so what calls natives by the thousand is left out.
mapfile -t JS_FILES < <(printf '%s\n' "${JS_FILES[@]}" | grep -v -F -f tests/no_stress.txt)
stages_of 'gc stress' stress "$BUILD/cob" COB_GC_STRESS=1 COB_TEST_TIMEOUT=60
stage 'calls of everything' bash tests/fuzz/api.sh "$BUILD/cob-debug" 1 12 2000
stage 'leaks' "$BUILD/cob" tests/leaks/run.js
stage 'budgets' bash bench/run.sh "$BUILD" --quick

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
