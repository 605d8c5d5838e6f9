times='s/\[[0-9.]*ms\]/[time]/'
$COB install | sed "$times"
sed 's/sha512-[^"]*/sha512/;s#http://127[^"]*/#URL/#' bun.lock
find . -name cache -prune -o -type l -print | sort
find packages apps -path '*/node_modules/*' -name index.js | sort
$COB apps/web/index.js
sh node_modules/.bin/a-tool
$COB ci | sed "$times"
echo "-- none of the workspaces"
echo '{"name":"web","dependencies":{"@m/c":"workspace:*"}}' > apps/web/package.json
$COB install 2>&1
echo "-- a range that the workspace is not in"
echo '{"name":"web","dependencies":{"@m/b":"^2"}}' > apps/web/package.json
$COB install 2>&1 | sed 's/127.0.0.1:[0-9]*/REGISTRY/'
echo "-- outside"
echo '{"name":"mono","workspaces":["../other"]}' > package.json
$COB install 2>&1
echo "-- $?"
