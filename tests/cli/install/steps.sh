times='s/\[[0-9.]*ms\]/[time]/'
$COB install | sed "$times"
cat bun.lock | sed 's/sha512-[^"]*/sha512/;s#http://127[^"]*/#URL/#'
find node_modules -type f -o -type l | sort
cat > main.js <<'END'
console.log(require("leaf"), require("alias"), require("middle"));
console.log(require("./node_modules/middle/node_modules/leaf"));
END
$COB main.js
sh node_modules/.bin/tool
echo "-- again"
$COB install | sed "$times"
echo "-- from the lockfile and the cache"
rm -rf node_modules
$COB install --frozen-lockfile | sed "$times"
$COB main.js
