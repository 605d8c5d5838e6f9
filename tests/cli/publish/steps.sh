try() {
  echo "-- $*"
  "$COB" "$@" > said 2>&1
  code=$?
  sed 's/127.0.0.1:[0-9]*/REGISTRY/
    s/^Shasum: [0-9a-f]*$/Shasum: .../;s/^Integrity: sha512-[^ ]*$/Integrity: .../;s/^Packed size:.*/Packed size: .../' said
  [ $code = 0 ] || echo "code $code"
}
package() {
  echo "{\"name\":\"$1\",\"version\":\"${2:-1.0.0}\"${3:+,}$3}" > package.json
}
login() {
  echo "//$(echo $COB_CONFIG_REGISTRY | cut -d/ -f3)/:_authToken=$1" > .npmrc
}
mkdir project
cd project
echo "# mine" > README.md
package mine 1.0.0 '"description":"a thing","files":[]'
try publish
login good
try publish 2>&1
try publish --quiet --tag next --access public --otp 123456
package @me/mine 2.0.0-rc.1 '"files":[],"publishConfig":{"access":"restricted","tag":"rc"}'
try publish --quiet
try publish --dry-run
package mine 1.0.0 '"files":[],"scripts":{"prepublishOnly":"echo 1","prepack":"echo 2","prepare":"echo 3","postpack":"echo 4","publish":"echo 5","postpublish":"echo 6"}'
try publish --quiet
try publish --quiet --ignore-scripts
package mine 1.0.0 "\"files\":[],\"publishConfig\":{\"registry\":\"$COB_CONFIG_REGISTRY/other/\"}"
try publish --quiet
$COB pm pack --quiet
try publish --quiet mine-1.0.0.tgz
cd ..
cp project/.npmrc .
try publish --quiet project
cd project
echo "-- errors"
login bad
try publish --quiet
login good
package otp
try publish --quiet
try publish --quiet --otp 999
try publish --quiet --otp 123
package taken
try publish --quiet
package failing
try publish --quiet
package none
try publish --quiet
package known
try publish --quiet --tolerate-republish
package mine 1.0.0 '"private":true,"scripts":{"prepack":"echo not run"}'
try publish
package mine
try publish --access secret
try publish --tag 1.2
try publish --offline --quiet
try publish nowhere
echo x > broken.tgz
try publish broken.tgz
package mine 1.0.0 '"scripts":{"prepublishOnly":"exit 7"}'
try publish
rm package.json
try publish
