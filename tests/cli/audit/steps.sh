try() {
  echo "-- $*" | sed "s#$COB_CONFIG_REGISTRY#URL#"
  "$COB" "$@" > said 2>&1
  code=$?
  sed "s#$COB_CONFIG_REGISTRY#URL#" said
  [ $code = 0 ] || echo "code $code"
}
echo '{"dependencies":{"lib":"1.0.0","uses":"1"},"devDependencies":{"leaf":"1"}}' > package.json
try audit
$COB install --silent
try audit
try audit --audit-level high
try audit --ignore GHSA-1 --ignore 2
try audit --ignore CVE-1
try audit --json
try audit fix --dry-run
sed -i 's/"lib":"1.0.0"/"lib":"^1.0.0"/' package.json
try audit fix
grep -o '"[a-z/]*": \["[^"]*' bun.lock
echo '{"dependencies":{"leaf":"1"}}' > package.json
$COB install --silent
try audit
try audit --audit-level worst
try audit mend
try audit --registry $COB_CONFIG_REGISTRY/failing
try audit --registry $COB_CONFIG_REGISTRY/broken
try audit --registry $COB_CONFIG_REGISTRY/none
try audit --offline
