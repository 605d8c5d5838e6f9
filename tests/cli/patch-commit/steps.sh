try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/'
}
echo '{ "name": "project", "dependencies": { "leaf": "1.5.0", "middle": "1" } }' > package.json
try patch leaf
$COB install --silent
try patch leaf
try patch leaf@1.5.0
echo '// by hand' >> node_modules/leaf/index.js
echo new > node_modules/leaf/new.txt
cat cache/leaf@1.5.0-*/index.js
try patch --commit node_modules/leaf
cat package.json patches/*
rm -rf node_modules
try install
cat node_modules/leaf/index.js node_modules/leaf/new.txt
try patch node_modules/@scope/tool/
sed -i 's/runs/was patched/' node_modules/@scope/tool/cli.js
try patch --commit @scope/tool --patches-dir other/patches
cat other/patches/*
sh node_modules/.bin/tool
$COB patch middle > /dev/null
try patch --commit middle
try patch none
try patch
rm -rf node_modules
try patch middle
