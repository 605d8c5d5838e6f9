times='s/\[[0-9.]*ms\]/[time]/;s#git+file://[^#]*#git+file:REPO#;s/#[0-9a-f]*/#COMMIT/'
show() {
    $COB install "$@" 2>&1 | sed "$times"
    sed -n '/"packages"/,$p' bun.lock | sed "s#git+file://[^#\"]*#git+file:REPO#;s/[0-9a-f]\{40\}/COMMIT/g;s/sha512-[^\"]*/sha512/;s#http://127[^\"]*/#URL/#"
    find node_modules/ \( -type f -o -type l \) -not -name package.json | sort
}
project() {
    echo "-- $1"
    rm -rf node_modules bun.lock
    echo "{\"name\":\"project\",$1}" > package.json
}
mkdir -p folder/lib folder/node_modules/own
echo '{"name":"folded","version":"3.0.0","dependencies":{"leaf":"1.0.0"},"bin":"lib/run.js"}' > folder/package.json
echo 1 > folder/lib/run.js
echo 1 > folder/node_modules/own/index.js
project '"dependencies":{"a":"file:./folder"}'
show
echo 2 > folder/lib/more.js
show
project '"dependencies":{"a":"link:folder"}'
show
readlink node_modules/a

mkdir package
echo '{"name":"packed","version":"1.0.0","dependencies":{"leaf":"^1.0.0"}}' > package/package.json
tar czf packed.tgz package
project '"dependencies":{"packed":"./packed.tgz"}'
show
echo '-- from the lockfile, without the cache, and when it is another'
rm -rf node_modules cache
show --frozen-lockfile | tail -3
rm -rf node_modules cache
echo more > package/more
tar czf packed.tgz package
$COB install 2>&1 | sed "s#$PWD#DIR#"

echo '-- more of them than are brought at a time'
list='"leaf":"1.0.0"'
for i in $(seq 60); do
    cp packed.tgz "many$i.tgz"
    list="$list,\"many$i\":\"./many$i.tgz\""
done
rm -rf node_modules cache bun.lock
echo "{\"name\":\"project\",\"dependencies\":{$list}}" > package.json
$COB install 2>&1 | sed "$times" | tail -1
rm -rf node_modules cache
$COB install 2>&1 | sed "$times" | tail -1

(
    mkdir repo
    cd repo || exit
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    git init -q .
    echo '{"name":"kept","version":"1.0.0"}' > package.json
    echo one > file
    git add .
    git commit -qm one
    git tag v1.0.0
    echo two > file
    git commit -qam two
    git tag v2.0.0
)
project "\"dependencies\":{\"kept\":\"git+file://$PWD/repo#semver:^1.0.0\"}" | sed "s#$PWD##"
show
cat node_modules/kept/file
project "\"dependencies\":{\"kept\":\"git+file://$PWD/repo\"}" | sed "s#$PWD##"
show
cat node_modules/kept/file
echo '-- the branch moves on, the lockfile does not'
(cd repo && echo three > file && git -c user.name=a -c user.email=a@b commit -qam three)
rm -rf node_modules cache
show | head -4
cat node_modules/kept/file

project '"workspaces":{"packages":["own/*"],"catalog":{"leaf":"^1.0.0"},"catalogs":{"new":{"leaf":"2.0.0"}}}'
mkdir -p own/a own/b
echo '{"name":"a","version":"1.0.0","dependencies":{"leaf":"catalog:","b":"workspace:^"}}' > own/a/package.json
echo '{"name":"b","version":"1.0.0","dependencies":{"leaf":"catalog:new","a2":"workspace:a@*"}}' > own/b/package.json
show
echo '{"name":"b","version":"1.0.0","dependencies":{"leaf":"catalog:none"}}' > own/b/package.json
$COB install 2>&1
