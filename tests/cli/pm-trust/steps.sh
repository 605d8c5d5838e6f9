try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/'
}
echo '{ "name": "project", "dependencies": { "one": "1", "top": "1" } }' > package.json
try pm untrusted
$COB install --silent
try pm untrusted
ls node_modules/one
try pm trust
try pm trust nobody
try pm trust one --dry-run
try pm trust one
cat package.json node_modules/one/made.txt
try pm untrusted
try pm trust --all
cat package.json node_modules/two/*.txt
try pm untrusted
try pm trust one
$COB pm default-trusted | head -n 1 | sed 's/[0-9][0-9]*/N/'
