try() {
  echo "-- $*"
  $COB "$@" 2>&1 | sed 's/127.0.0.1:[0-9]*/REGISTRY/;s/^  *$//'
}
try x program@1.0.0 0 --flag
try x program a
try x --bun engine
$COB x program@^1.0.0 7
echo "code $?"
try x several
try x -p several second 1 2
try x --package=several third
try x --no-install program a
try x --no-install program@1.1 a
try x leaf
try create thing my-app
try create @me x
try create ./folder
try x none-such
try x program@9
try x refused
try x failing
try x broken
try x "no name"
echo "-- of the project"
echo '{"dependencies":{"program":"1.0.0"}}' > package.json
$COB install > /dev/null
try x program local
try x --no-install program local
ln -s "$COB" bunx
./bunx several as bunx
