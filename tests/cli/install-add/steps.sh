times='s/\[[0-9.]*ms\]/[time]/'
cob() {
  echo "-- $*"
  $COB "$@" 2>&1 | sed "$times;s/127.0.0.1:[0-9]*/REGISTRY/"
}
cob add leaf@1
cob add -d middle al@npm:leaf@1.0.0
cob add --exact leaf
cob install --optional @scope/tool@latest
cob add none-such
cat package.json
find node_modules -name index.js -o -type l | sort
cob ci
echo "-- production"
rm -rf node_modules
$COB install --production | sed "$times"
ls node_modules
cob install
cob remove middle al
cob remove @scope/tool not-there
cat package.json
find node_modules | sort
cob ci
cob remove
cob add ./folder
