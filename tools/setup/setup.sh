#!/bin/sh
# setup.sh LIST -- installs the Debian packages of LIST that are missing; says which and how.
# Needs root or sudo only when something is missing.
set -eu
missing=
for name in $(sed 's/#.*//' "$1"); do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed' ||
        missing="$missing $name"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "setup: these Debian 12 packages (or their like) are needed:$missing" >&2
    exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "setup: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
