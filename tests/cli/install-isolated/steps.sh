quiet() { sed 's/\[[0-9.]*ms\]/[time]/' | grep -v '^$'; }
list() {
  find a b node_modules \( -type l -printf '%p -> %l\n' \) -o \( -type f -name index.js -print \) |
    sort | sed 's/+[0-9a-f]\{16\}/+HASH/g'
}
mkdir -p a b
echo '{"name":"top","workspaces":["a","b"],"devDependencies":{"leaf":"1"},
  "trustedDependencies":["built"]}' > package.json
echo '{"name":"a","dependencies":{"host":"1","holder":"1","b":"workspace:*"}}' > a/package.json
echo '{"name":"b","dependencies":{"host":"2","holder":"1","forgetful":"1","built":"1"}}' > b/package.json
echo 'console.log(require("holder"), require("b"));' > a/main.js
echo 'module.exports = require("holder") + " " + require("forgetful");' > b/index.js
$COB install 2>&1 | quiet
list
$COB a/main.js
cat node_modules/.bun/built@1.0.0/node_modules/built/built
echo "-- again"
$COB install | quiet
echo "-- one less"
echo '{"name":"b","dependencies":{"host":"2","holder":"1"}}' > b/package.json
$COB install | quiet
ls b/node_modules
echo "-- hoisted"
touch node_modules/.of-a-tool
$COB install --linker hoisted | quiet
ls -A node_modules
echo "-- isolated, said in a file"
printf '[install]\nlinker = "isolated"\n' > bunfig.toml
$COB install | quiet
ls -A node_modules
echo "-- a lockfile of before stays hoisted"
rm -rf node_modules bunfig.toml */node_modules
sed -i '/configVersion/d' bun.lock
$COB install | quiet
ls -A node_modules
grep configVersion bun.lock
echo "-- what npm installed stays hoisted"
rm -rf node_modules */node_modules bun.lock
echo '{"lockfileVersion":3,"packages":{"":{"name":"top"}}}' > package-lock.json
$COB install | quiet
ls node_modules
echo "-- a linker that is none"
$COB install --linker pnp
