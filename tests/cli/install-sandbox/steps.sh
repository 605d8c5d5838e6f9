quiet() { sed "s/\[[0-9.]*ms\]/[time]/;s#$PWD#DIR#g" | grep -v '^$'; }
run() {
  echo "-- $1"; rm -rf node_modules escaped made; shift
  $COB install "$@" 2>&1 | quiet
  ls -d escaped made 2> /dev/null
  grep -o '/dev/tcp.*' node_modules/escapes/errors
}
project() { echo "{\"dependencies\":{\"escapes\":\"1\"},\"trustedDependencies\":[\"escapes\"]$1}" > package.json; }
project
run "refused, and said so"
run "no sandbox" --no-script-sandbox
project ',"scriptSandbox":{"network":["escapes"]}'
run "with the network"
project ',"scriptSandbox":{"write":{"escapes":["../.."]}}'
run "with a folder"
project ',"scriptSandbox":{"off":["escapes"]}'
run "off for this one"
project
printf '[install]\nscriptSandbox = false\n' > bunfig.toml
run "off in bunfig.toml"
rm -rf node_modules escaped made
echo "-- and for update"
$COB update 2>&1 | quiet
ls -d escaped made 2> /dev/null
