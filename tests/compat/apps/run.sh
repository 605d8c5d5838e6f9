#!/usr/bin/env bash
# tests/compat/apps/run.sh COB [NAME...] -- programs of npm, each driven by a client of its own.
# Installs what package.json names (from the registry that npm is configured for) with COB itself
# into a folder of its own, then runs every script, or those that are named. A script asserts and
# prints "ok", or "skip: why". Ends with "N passed, N failed". RUN=node: the scripts run with another
# runtime.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cob=$(realpath "$1")
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here"/*.mjs "$here/package.json" "$dir" && cd "$dir" || exit 1
"$cob" install >install.log 2>&1 || { cat install.log; echo "0 passed, 1 failed"; exit 1; }
[ $# -gt 0 ] || set -- $(basename -s .mjs -a *.mjs | grep -vE '^(run|servers)$')
passed=0
failed=0
skipped=0
for name; do
    out=$(timeout 90 "${RUN:-$cob}" "$name.mjs" 2>&1) && last=${out##*$'\n'} || last=
    case $last in
        ok) passed=$((passed + 1)) ;;
        skip:*)
            skipped=$((skipped + 1))
            echo "SKIP $name ${last#skip: }"
            ;;
        *)
            failed=$((failed + 1))
            printf 'FAIL %s\n%s\n' "$name" "$(head -n 20 <<<"$out")"
            ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
