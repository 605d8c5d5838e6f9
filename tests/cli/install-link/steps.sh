export COB_INSTALL=$PWD/home
try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/'
}
mkdir lib app
echo '{"name":"my-lib","version":"1.0.0","main":"main.js","bin":"./main.js"}' > lib/package.json
echo 'console.log("my-lib");' > lib/main.js
echo '{"name":"app"}' > app/package.json
cd app
try link my-lib
cd ../lib
try link
cd ../app
try link my-lib
cat package.json
ls . node_modules/.bin
echo 'require("my-lib");' > main.js
$COB main.js
try link --save my-lib
cat package.json bun.lock
rm -rf node_modules
try install
$COB main.js
try link ./x
cd ../lib
try unlink
try unlink
try unlink my-lib
echo '{}' > package.json
try link
rm package.json
try unlink
