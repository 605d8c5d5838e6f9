#!/usr/bin/env bash
# tests/fuzz/api.sh BINARY FIRST LAST CALLS -- api.cjs with each seed from FIRST to LAST. A seed fails when
# a signal, a sanitizer or the time limit ends its process. Ends with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0
for ((seed = $2; seed <= $3; seed++)); do
    COB_FUZZ_LOG=$work/log timeout -k 5 120 "$binary" "$here/api.cjs" "$seed" "$4" >"$work/out" 2>&1 </dev/null
    rc=$?
    if [ $rc -lt 124 ] && ! grep -qaE 'AddressSanitizer|runtime error:|internal error:' "$work/out"; then
        passed=$((passed + 1))
        continue
    fi
    failed=$((failed + 1))
    echo "FAIL seed $seed, code $rc, at call $(tail -n 1 "$work/log")"
    grep -aE -A 20 'AddressSanitizer|runtime error:|internal error:|crashed' "$work/out" | cut -c 1-200 | head -n 30
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
