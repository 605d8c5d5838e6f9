export COB_INSTALL=$PWD/home
try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/;s/127.0.0.1:[0-9]*/REGISTRY/'
}
# For commands whose first line asks for node.
mkdir bin && ln -s "$COB" bin/node && export PATH="$PWD/bin:$PATH"
echo '{"name":"project"}' > package.json
try add -g program@1.0.0
cat package.json home/install/global/package.json
home/bin/program 0 it runs
try install --global several
ls home/bin
export PATH="$PWD/home/bin:$PATH"
try add -g program
program 0
try remove -g several
ls home/bin
try pm bin -g
try add -g none-such
mkdir mine
echo '{"name":"mine","version":"1.0.0","bin":"./mine.sh"}' > mine/package.json
printf '#!/bin/sh\necho mine\n' > mine/mine.sh
try add -g ./mine
mine
echo other > home/bin/first
try add -g several
cat home/bin/first
