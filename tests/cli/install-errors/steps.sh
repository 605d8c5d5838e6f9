try() {
  echo "-- $1"
  printf '%s' "$1" > package.json
  shift
  $COB install "$@" 2>&1 | sed 's/127.0.0.1:[0-9]*/REGISTRY/'
  ls -A | grep -v "^\.cache"
}
try '{"dependencies":{"none-such":"1"}}'
try '{"dependencies":{"leaf":"^9"}}'
try '{"dependencies":{"forged":"1"}}'
try '{"dependencies":{"evil":"1"}}'
try '{"dependencies":{"../up":"1"}}'
try '{"dependencies":{"leaf":"git+file:///nowhere"}}'
try '{"dependencies":'
try '{"dependencies":{"leaf":"1"}}' --frozen-lockfile
echo "-- nobody there"
echo '{"dependencies":{"leaf":"1"}}' > package.json
$COB install --registry http://127.0.0.1:1/ --cache-dir empty 2>&1
$COB info leaf --registry http://127.0.0.1:1/ 2>&1
echo "-- a binary lockfile"
rm -f bun.lock
echo '{"dependencies":{"leaf":"1"}}' > package.json
: > bun.lockb
$COB install 2>&1
