$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
sed 's/sha512-[^"]*/sha512/;s#http://127[^"]*/#URL/#' bun.lock
cat node_modules/leaf/index.js
echo '{"name":"project","dependencies":{"middle":"1"},"resolutions":{"leaf":"1.5.0"}}' > package.json
$COB ci 2>&1
$COB install | sed 's/\[[0-9.]*ms\]/[time]/'
cat node_modules/leaf/index.js
echo '{"name":"project","dependencies":{"middle":"1"},"overrides":{"middle":{"leaf":"1.5.0"}}}' > package.json
$COB install 2>&1
echo "-- $?"
