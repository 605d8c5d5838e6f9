$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
sed 's/sha512-[^"]*/sha512/;s#http://127[^"]*/#URL/#' bun.lock
cat node_modules/leaf/index.js
echo '{"name":"project","dependencies":{"middle":"1"},"resolutions":{"leaf":"1.5.0"}}' > package.json
$COB ci 2>&1
$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
cat node_modules/leaf/index.js
echo "-- of one package"
rm -rf bun.lock node_modules
echo '{"name":"project","dependencies":{"middle":"1","leaf":"2"},"overrides":{"middle":{"leaf":"1.5.0"}}}' > package.json
$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
sed "/packages/q" bun.lock
cat node_modules/leaf/index.js node_modules/middle/node_modules/leaf/index.js
echo "-- by the project's own range"
rm -rf bun.lock node_modules
echo '{"name":"project","dependencies":{"middle":"1","leaf":"1.0.0"},"resolutions":{"**/leaf":"$leaf"}}' > package.json
$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
find node_modules -name leaf
echo '{"name":"project","dependencies":{"middle":"1"},"overrides":{"middle":{"leaf":{"leaf":"1"}}}}' > package.json
$COB install 2>&1
echo "-- $?"
