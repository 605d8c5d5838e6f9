try() {
  echo "-- $1 $2 $3 $4"
  rm -rf node_modules bun.lock
  echo "{\"dependencies\":$1}" > package.json
  shift
  $COB install "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/' | grep -v '^$'
}
try '{"quick":"^1.0.0"}'
try '{"quick":"^1.0.0","leaf":"1"}' --minimum-release-age 3d
try '{"quick":"latest"}' --minimum-release-age 259200
try '{"quick":"1.2.0"}' --minimum-release-age 3d
try '{"quick":"1.2.0"}' --minimum-release-age 3d --minimum-release-age-excludes=new,quick
try '{"new":"*"}' --minimum-release-age 3d
try '{"odd":"*"}' --minimum-release-age "1 week"
try '{"quick":"1"}' --minimum-release-age "3 moons"
printf '[install]\nminimumReleaseAge = 60\nminimumReleaseAgeExcludes = ["new@1.0.0"]\n' > bunfig.toml
try '{"quick":"1","new":"*"}'
echo "-- what the lockfile has stays"
rm -rf node_modules bun.lock bunfig.toml
$COB install > /dev/null
rm -rf node_modules
$COB install --minimum-release-age 3d | sed 's/\[[0-9.]*ms\]/[time]/' | grep -v '^$'
