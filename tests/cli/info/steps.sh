try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/127.0.0.1:[0-9]*/REGISTRY/'
}
try info lib
try view lib@1.2.0 | grep -v integrity
try info @me/prog | grep -v integrity
try info lib@^1 version
try info lib@old version
try info lib@9
try info lib versions
try info lib name version nothing keywords
try info lib 'keywords[1]'
try info lib 'time[2.0.0]' 
try info lib 'exports[.].default'
try info lib dist-tags.old
try info lib dependencies --json
try info lib version --json
try info lib version name --json
try info lib nothing
try pm view lib version
$COB info lib --json | $COB -e 'const all = JSON.parse(await Bun.stdin.text());
  console.log(Object.keys(all).join(), all.versions.length)'
for name in none-such refused failing broken odd none ./x; do try info $name; done
try info
echo '{"name":"lib"}' > package.json
try info --offline
try info | head -n 2
