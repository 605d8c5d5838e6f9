#!/usr/bin/env bash
# bench/compare.sh [BUILD] -- start-up side by side with another runtime.
#
#   BUN=/path/to/bun bash bench/compare.sh
#
# BUN (and NODE, if set) are the binaries to compare with; RUNS is how many runs each (60). The runs
# alternate, so that a busy machine is busy for all. Give quiet cores with taskset to compare spreads.
set -eu
cd "$(dirname "$0")/.."
BUILD=${1:-build}
RUNS=${RUNS:-60}
cob=$(realpath "$BUILD/cob")
if [ -z "${BUN:-}" ]; then
    echo "usage: BUN=/path/to/bun [NODE=/path/to/node] [RUNS=60] bash bench/compare.sh [BUILD]" >&2
    exit 2
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"${CC:-gcc}" -std=gnu17 -D_GNU_SOURCE -O2 -o "$tmp/measure" bench/measure.c

mkdir "$tmp/cjs"
for ((i = 0; i < 100; i++)); do echo "exports.f = (x = 0) => x + $i;" >"$tmp/cjs/m$i.js"; done
{
    echo 'let sum = 0;'
    for ((i = 0; i < 100; i++)); do echo "sum += require('./m$i').f();"; done
    echo 'console.log(sum);'
} >"$tmp/cjs/main.js"
cp bench/budget/hello.js "$tmp/hello.js"
cd "$tmp"

# compare TITLE ARGUMENT...
compare() {
    local title=$1
    shift
    local list=(-- "$cob" "$@" -- "$BUN" "$@")
    [ -z "${NODE:-}" ] || list+=(-- "$NODE" "$@")
    echo "== $title"
    "$tmp/measure" -n "$RUNS" "${list[@]}"
}

compare 'hello.js' hello.js
compare '--version' --version
compare '100 modules (CommonJS)' cjs/main.js
