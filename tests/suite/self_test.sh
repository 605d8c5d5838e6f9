#!/usr/bin/env bash
# tests/suite/self_test.sh SUITE -- the suite's own tests: does it fail what must fail?
set -u
suite=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# case_of NAME FILE=TEXT...
case_of() {
    local dir=$tmp/cases/$1 pair
    mkdir -p "$dir"
    shift
    for pair in "$@"; do printf '%b' "${pair#*=}" >"$dir/${pair%%=*}"; done
}

# expect WHAT TEXT: the cases made so far print TEXT as their counts.
expect() {
    local got
    got=$(COB_TEST_TIMEOUT=2 "$suite" cli /bin/sh "$tmp/cases" | tail -n 1)
    rm -rf "$tmp/cases"
    if [ "$got" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: got \"$got\", want \"$2\""
    fi
}

case_of plain cmd='echo a' out='a\n'
expect 'what is expected passes' '1 passed, 0 failed'
case_of more cmd='echo a; echo b' out='a\n'
expect 'more output fails' '0 passed, 1 failed'
case_of less cmd='echo a' out='a\nb\n'
expect 'less output fails' '0 passed, 1 failed'
case_of newline cmd='printf a' out='a\n'
expect 'a missing newline fails' '0 passed, 1 failed'
case_of silent cmd='echo a >&2'
expect 'output that was not expected fails' '0 passed, 1 failed'
case_of code cmd='exit 3'
expect 'a wrong exit code fails' '0 passed, 1 failed'
case_of code cmd='exit 3' code='3\n'
expect 'the right exit code passes' '1 passed, 0 failed'
case_of signal cmd='kill -9 $$' code='137\n'
expect 'a signal counts as shells do' '1 passed, 0 failed'
case_of slow cmd='sleep 60'
expect 'a case that takes too long fails' '0 passed, 1 failed'
case_of hole cmd='echo a1b2c' out='a[..]b[..]c\n'
case_of hole_end cmd='echo abc' out='a[..]\n'
expect 'holes in a line' '2 passed, 0 failed'
case_of hole cmd='echo a1b2d' out='a[..]b[..]c\n'
expect 'holes do not swallow what follows' '0 passed, 1 failed'
case_of lines cmd='seq 9' out='1\n[...]\n5\n[...]\n9\n'
case_of none cmd='seq 3' out='1\n[...]\n2\n3\n[...]\n'
case_of any cmd='echo x' out='[...]\n'
expect 'holes of lines' '3 passed, 0 failed'
case_of lines cmd='seq 9' out='1\n[...]\n8\n'
expect 'holes of lines do not swallow what follows' '0 passed, 1 failed'
case_of input cmd='cat; cat file' stdin='in\n' file='here\n' out='in\nhere\n'
case_of copy cmd='ls -a; pwd' extra='' out='.\n..\nextra\n$DIR\n'
case_of skipped cmd='exit 1' when='false'
expect 'inputs, the copy, conditions' '2 passed, 0 failed'
case_of tty cmd='$PTY sh -c "test -t 0 -a -t 1 -a -t 2 && read x && echo read it"' stdin='word\n' \
    out='word\nread it\n'
expect 'a terminal' '1 passed, 0 failed'

printf '#!/bin/sh\nprintf "FAIL x\\n1 passed, 2 failed\\n"; exit 1\n' >"$tmp/two"
printf '#!/bin/sh\necho half\n' >"$tmp/early"
chmod +x "$tmp/two" "$tmp/early"
for pair in two:'1 passed, 2 failed' early:'0 passed, 1 failed'; do
    got=$("$suite" js "$tmp/${pair%%:*}" /dev/null file.js | tail -n 1)
    if [ "$got" = "${pair#*:}" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL js ${pair%%:*}: got \"$got\""
    fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
