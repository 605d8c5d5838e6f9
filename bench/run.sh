#!/usr/bin/env bash
# bench/run.sh BUILD [--quick] [--update] -- costs of fixed runs against bench/budget.txt.
#
# Counted are instructions (valgrind's callgrind, the engine without its helper threads: repeatable to
# 0.2 %), page faults and system calls. --quick looks at the start-up only, and is part of `make test`.
# Ends with "N passed, N failed"; exit code 1 when a figure left its budget, in either direction: what got
# better shall be kept (but --quick minds only what got worse). --update
# writes the present figures as the new budget.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=build
is_quick=
is_update=
for arg in "$@"; do
    case $arg in
    --quick) is_quick=1 ;;
    --update) is_update=1 ;;
    *) BUILD=$arg ;;
    esac
done
[ -x "$BUILD/cob" ] || exit 1
BUDGET=$PWD/bench/budget.txt
ENGINE_PACKAGE=libjavascriptcoregtk-6.0-1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# A copy: how the linker wrote the file shows in how the kernel keeps it, and so in the page faults.
COB=$tmp/cob
cp "$BUILD/cob" "$COB"
passed=0
failed=0

# What is run: name, arguments of cob. The order is that of the report.
ALL="version hello object throw inspect timers ticks events url require strip transpile minify"
QUICK="version hello"
arguments_of() {
    case $1 in
    version) echo --version ;;
    require) echo "$tmp/require/main.js" ;;
    strip) echo --fast --passes 20 "$tmp/transpile.list" ;;
    transpile) echo --full --passes 20 "$tmp/transpile.list" ;;
    minify) echo --full --minify --passes 20 "$tmp/transpile.list" ;;
    *) echo "$PWD/bench/budget/$1.js" ;;
    esac
}

make_modules() {
    mkdir "$tmp/require"
    local i
    for ((i = 0; i < 1000; i++)); do
        echo "exports.id = $i; exports.twice = (x = $i) => x * 2;" >"$tmp/require/m$i.js"
    done
    {
        echo 'let sum = 0;'
        echo 'for (let i = 0; i < 1000; i++) sum += require(`./m${i}`).twice();'
        echo 'if (sum !== 999000) throw new Error(`sum ${sum}`);'
    } >"$tmp/require/main.js"
}

program_of() {
    case $1 in
    strip | transpile | minify) echo "$BUILD_ABS/transpile" ;;
    *) echo "$COB" ;;
    esac
}

# A bit of everything that TypeScript is made of, 200 times.
make_typescript() {
    local i
    for ((i = 0; i < 200; i++)); do
        cat <<END
/**
 * The item of number $i, as it comes from the store.
 * @param name what it is called
 */
export interface Item$i<T extends object = {}> extends Partial<Base$i> {
    readonly name: string; // shown to people
    next?: (at: number, ...rest: readonly T[]) => Promise<Item$i<T> | undefined>;
}
type Base$i = { [K in keyof Table$i]: K extends 'id' ? number : string };
export class Table$i<T> {
    static count: number = 0;
    private items: Map<string, T> = new Map<string, T>();
    readonly id = $i;
    constructor() { Table$i.count += this.id & 0xff; }
    find(name: string, other?: T): T | undefined {
        const found = this.items.get(name) ?? other;
        if (found === undefined && name.length > 10) throw new Error(\`no \${name} in \${this.id}\`);
        for (let k = 0, n = this.items.size; k < n; k++) {
            if (k % 2 !== 0 || !found) continue;
            this.items.set('key-' + k, found as T);
        }
        return found;
    }
}
export const make$i = async <T,>(list: T[], { deep = false, names: [first, ...more] = [] as string[] } = {}) => {
    const all = list.filter((x) => x != null && /^[a-z]+\\/\$/i.test(String(x)))!;
    return { all, first, more, deep: deep ? await Promise.all(all.map(async (x) => [x, $i])) : null };
};
END
    done >"$tmp/transpile.ts"
    echo "$tmp/transpile.ts" >"$tmp/transpile.list"
}

# The environment of every run: small, and without what the machine may have set.
run_cob() {
    (cd "$tmp" && env -i PATH="$PATH" HOME="$tmp" LC_ALL=C.UTF-8 JSC_useConcurrentJIT=0 JSC_useConcurrentGC=0 "$@")
}

# A program that fails costs nothing worth knowing; only throw.js is to end with 1.
works() {
    # shellcheck disable=SC2046
    run_cob "$(program_of "$1")" $(arguments_of "$1") >/dev/null 2>&1 </dev/null
    local rc=$? expected=0
    [ "$1" != throw ] || expected=1
    [ $rc -eq $expected ]
}

instructions() {
    # shellcheck disable=SC2046
    run_cob valgrind --tool=callgrind --callgrind-out-file=/dev/null "$(program_of "$1")" $(arguments_of "$1") \
        2>&1 >/dev/null </dev/null | sed -n 's/,//g; s/.*refs: *\([0-9]*\)$/\1/p'
}

faults() {
    # shellcheck disable=SC2046
    run_cob "$BUILD_ABS/measure" -n 9 -- "$COB" $(arguments_of "$1") | awk 'NR == 2 { print $6 }'
}

# Without futex: how often the engine's threads meet is chance.
syscalls() {
    # shellcheck disable=SC2046
    run_cob strace -f -c -e 'trace=!futex' -o "$tmp/strace" "$COB" $(arguments_of "$1") >/dev/null 2>&1 </dev/null
    awk '$NF == "total" { print $4 }' "$tmp/strace"
}

tolerance_of() {
    case $1 in
    instructions) echo 3 ;;
    *) echo 5 ;; # faults and system calls depend a little on timing
    esac
}

version_of_engine() {
    dpkg-query -W -f='${Version}' "$ENGINE_PACKAGE" 2>/dev/null || echo unknown
}

# check NAME METRIC VALUE: prints a line and counts.
check() {
    local name=$1 metric=$2 value=${3:-} budget percent state=ok tolerance
    tolerance=$(tolerance_of "$metric")
    [ -z "$is_other_engine" ] || tolerance=$((tolerance * 4))
    budget=$(awk -v n="$name" -v m="$metric" '$1 == n && $2 == m { print $3 }' "$BUDGET" 2>/dev/null)
    [ -n "$value" ] && echo "$name $metric $value" >>"$tmp/new"
    if [ -z "$value" ]; then
        state="could not be measured"
    elif [ -z "$budget" ]; then
        state="has no budget"
    else
        percent=$(awk -v v="$value" -v b="$budget" 'BEGIN { printf "%+.1f", (v - b) * 100 / b }')
        state=$(awk -v d=$((value - budget)) -v p="$percent" -v t="$tolerance" 'BEGIN {
            if (d >= -2 && d <= 2) p = 0
            print (p > t) ? "over the budget" : (p < -t) ? "under the budget" : "ok" }')
        [ -z "$is_quick" ] || [ "$state" != "under the budget" ] || state=ok
    fi
    printf '%-10s %-14s %12s %12s %7s  %s\n' "$name" "$metric" "${value:--}" "${budget:--}" "${percent:--}" "$state"
    if [ "$state" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

mkdir -p "$BUILD"
BUILD_ABS=$(realpath "$BUILD")
"${CC:-gcc}" -std=gnu17 -D_GNU_SOURCE -O2 -o "$BUILD/measure" bench/measure.c || exit 1
make_modules
make_typescript
is_other_engine=
engine=$(version_of_engine)
if [ -f "$BUDGET" ] && ! grep -qx "# engine $engine" "$BUDGET"; then
    is_other_engine=1
    echo "the budget was made with another version of the engine: wider limits"
fi

printf '%-10s %-14s %12s %12s %7s\n' run metric now budget '%'
if [ -n "$is_quick" ]; then names=$QUICK; else names=$ALL; fi
for name in $names; do
    if ! works "$name"; then
        check "$name" instructions ''
        continue
    fi
    check "$name" instructions "$(instructions "$name")"
    case $name in version | hello)
        check "$name" faults "$(faults "$name")"
        check "$name" syscalls "$(syscalls "$name")"
        ;;
    esac
done

if [ -n "$is_update" ]; then
    {
        echo "# What fixed runs may cost; see bench/run.sh. Made by: bash bench/run.sh $BUILD --update"
        echo "# engine $engine"
        cat "$tmp/new"
    } >"$BUDGET"
    echo "$BUDGET has the present figures now; say in the commit why they changed"
    exit 0
fi
if [ -z "$is_quick" ] && [ -x "$BUILD/native_call" ]; then
    if "$BUILD/native_call" 20; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi
[ $failed -eq 0 ] ||
    echo "If this is meant to be: bash bench/run.sh $BUILD --update, and say why in the commit."
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
