#!/bin/sh
# The solver beside npm's (@npmcli/arborist) on random registries: run.sh [COB] [PROJECTS] [SEED].
# ARBORIST names its folder; without that it is installed, from the npm registry, into a folder of
# its own.  KINDS='{"peers":false}' leaves kinds of dependencies out.  See README.md for what differs.
set -e
here=$(dirname "$(readlink -f "$0")")
COB=$(readlink -f "${1:-$here/../../../build/cob}")
work=$(mktemp -d "${TMPDIR:-/tmp}/cob-arborist-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
if [ -z "$ARBORIST" ]; then
  mkdir arborist
  (cd arborist && echo '{}' > package.json && "$COB" add @npmcli/arborist > /dev/null)
  ARBORIST=$work/arborist/node_modules/@npmcli/arborist
fi
export COB ARBORIST
cp "$here/compare.mjs" "$here/../../cli/install/registry.mjs" .
cp "$here/../../cli/install-random/generate.mjs" "$here/../../cli/install-random/packages.mjs" .
printf 'export const PROJECTS = %s;\nexport const SEED = %s;\nexport const KINDS = %s;\n' "${2:-200}" "${3:-1}" "${KINDS:-{\}}" > count.mjs
echo 'exec "$COB" compare.mjs' > steps.sh
"$COB" registry.mjs steps.sh
