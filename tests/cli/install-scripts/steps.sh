quiet() { sed 's/\[[0-9.]*ms\]/[time]/;s/127.0.0.1:[0-9]*/HOST/' | grep -v '^$'; }
project() { rm -rf p cache; mkdir p; cd p; echo "$1" > package.json; echo "-- $2"; }
run() { $COB "$@" > out 2>&1; code=$?; quiet < out; [ $code = 0 ] || echo "code $code"; }

project '{"dependencies":{"third":"1"}}' "nobody is trusted"
run install
ls node_modules/first

cd .. && project '{"name":"p","trustedDependencies":["first","second","third"],"dependencies":
  {"third":"1"},"scripts":{"preinstall":"echo own pre","postinstall":"echo own post",
  "prepare":"echo $npm_lifecycle_event of $npm_package_name"}}' "in order"
run install
sed "s#$PWD#DIR#" node_modules/second/log
ls node_modules/third
grep -A 4 trusted bun.lock
echo "-- nothing new: only those of the project"
run install
echo "-- the cache is not what scripts write to"
rm -rf node_modules
run install --ignore-scripts
cat node_modules/first/index.js

cd .. && project '{"dependencies":{"first":"1"}}' "trusted later"
run install
echo '{"dependencies":{"first":"1"},"trustedDependencies":["first"]}' > package.json
run install
ls node_modules/first

cd .. && project '{}' "add --trust"
run add second --trust
cat package.json

cd .. && project '{"trustedDependencies":["fails"],"dependencies":{"fails":"1"}}' "one that fails"
run install
ls node_modules bun.lock

cd .. && project '{"trustedDependencies":["fails"],"dependencies":{"first":"1"},
  "optionalDependencies":{"fails":"1"}}' "one that may fail"
run install
ls node_modules

cd .. && project '{"trustedDependencies":["compiled"],"dependencies":{"compiled":"1"}}' "binding.gyp"
run install
cat node_modules/compiled/gyp-was-run

cd .. && project '{"scripts":{"install":"exit 4"}}' "one of the project"
run install

cd .. && project '{"trustedDependencies":["first"],"dependencies":{"first":"1"}}' "cut off before"
run install
echo first > node_modules/.cob-scripts
rm node_modules/first/made
run install
cat node_modules/first/made
ls -A node_modules

cd .. && project '{"workspaces":["w/*"]}' "workspaces"
mkdir -p w/a w/b
echo '{"name":"a","dependencies":{"b":"*"},"scripts":{"prepare":"echo a >> ../../log"}}' > w/a/package.json
echo '{"name":"b","scripts":{"postinstall":"echo b >> ../../log"}}' > w/b/package.json
run install
cat log
