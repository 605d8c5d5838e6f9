#!/usr/bin/env bash
# tests/compat/real/run.sh NODE_MODULES [COB] -- do big packages do the same as they are, printed by the full path, and
# minified?  NODE_MODULES holds rxjs, zod, effect, react, react-dom, scheduler, three and typescript as npm brings them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
modules=$(cd "$1" && pwd)
cob=$(realpath "${2:-$here/../../../build/cob}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REAL_SOURCE="$modules/rxjs/src/internal/Observable.ts"
failed=0

# parts NAME: the folders and files of node_modules that its program reads
parts() {
    case $1 in
    rxjs) echo rxjs/package.json rxjs/src tslib ;;
    zod) echo zod/package.json zod/src ;;
    effect) echo effect/package.json effect/src ;;
    react) echo react react-dom scheduler ;;
    three) echo three/package.json three/build ;;
    typescript) echo typescript/package.json typescript/lib/typescript.js ;;
    esac
}

for name in ${REAL_ONLY:-rxjs zod effect react three typescript}; do
    for form in as-is print min; do
        to="$work/$form"
        mkdir -p "$to/node_modules"
        for part in $(parts "$name"); do
            mkdir -p "$to/node_modules/$(dirname "$part")"
            cp -rL "$modules/$part" "$to/node_modules/$part"
        done
        n=0
        if [ "$form" != as-is ]; then
            mv "$to/node_modules" "$to/sources"
            n=$("$cob" "$here/forms.mjs" "$to/sources" "$to/node_modules" "$form") || failed=1
        fi
        cp "$here/$name.mjs" "$to/"
        (cd "$to" && timeout 120 "$cob" run "$name.mjs") >"$work/$name.$form" 2>&1
        echo "exit $?" >>"$work/$name.$form"
        rm -rf "${to:?}/node_modules" "$to/sources"
        if cmp -s "$work/$name.as-is" "$work/$name.$form" && grep -q 'exit 0' "$work/$name.$form"; then
            echo "$name $form: same ($n sources, $(wc -c <"$work/$name.$form") bytes of output)"
        else
            echo "$name $form: DIFFERS"
            diff "$work/$name.as-is" "$work/$name.$form" | cut -c1-300 | head -20
            [ "$form" = as-is ] && cut -c1-300 "$work/$name.as-is" | tail -20
            failed=1
        fi
    done
done
exit $failed
