project() {
  rm -rf node_modules bun.lock
  cat > package.json <<END
{
  "name": "project",
  "dependencies": { "lib": "$1", "uses": "1" },
  "devDependencies": { "tester": "1.0.0" }
}
END
  # The lockfile is of a time when there was nothing newer.
  sed -i 's/"lib": "[^"]*"/"lib": "1.0.0"/' package.json
  $COB install --silent
  sed -i "s/\"lib\": \"[^\"]*\"/\"lib\": \"$1\"/" package.json
  $COB install --silent
}
try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/;s/127.0.0.1:[0-9]*/REGISTRY/'
}
update() {
  project "$1"
  shift
  try update "$@"
  grep '"lib":\|tester":' package.json
  grep -o '"[a-z/]*": \["[^"]*"' bun.lock
}
update '^1.0.0'
update '~1.0.0'
update '1.x'
update '^1' --latest
update '~1.0.0' --latest
update '>=1' --latest
update '^1.0.0' lib
update '^1.0.0' lib@1.0.3
update '^1.0.0' tester
update '^1.0.0' tester@latest
update '^1.0.0' '!lib'
update '^1.0.0' leaf
update '^1.0.0' --exact lib
update '^1.0.0' --dev --latest
update '^1.0.0' --dry-run
update '^1.0.0' --no-save
try update nobody
project '^1.0.0'
try outdated
try outdated 'l*'
try outdated nothing
try outdated --json
try outdated --offline --cache-dir empty
try why lib
try why 'le*' --depth 1
try why leaf --top
try why nobody
try why
sed -i 's/"lib": "/"refused": "*", &/' package.json
try update
grep lib package.json
rm bun.lock
try outdated
try why lib
rm package.json
try update
try outdated
