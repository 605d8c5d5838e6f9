try() {
  echo "-- $*"
  "$COB" "$@" 2>&1 | sed 's/127.0.0.1:[0-9]*/REGISTRY/'
}
project() {
  cat > package.json <<'END'
{
  "name": "project", // a remark
  "version": "1.2.3",
  "scripts": { "test.unit": "x", "build": "y" },
  "files": ["a", "b"],
  "author": { "name": "joe" },
  "dependencies": { "leaf": "^1.0.0", "middle": "1" },
  "devDependencies": { "tool": "npm:@scope/tool@3" }
}
END
}
project
try pm ls
$COB install --silent
try pm ls
try pm ls --all
try pm ls --prod
try pm ls 'l*'
try pm ls nothing
try pm hash
try pm hash-string
try pm hash-print
try pm bin
COB_INSTALL=/opt/cob $COB pm bin --global
try pm cache
try pm why leaf --top
echo "-- pkg"
try pm pkg get name
try pm pkg get name version none
try pm pkg get none
try pm pkg get 'scripts[test.unit]' 'files[1]' author.name files.0
try pm pkg get files
try pm pkg get 'files[x' .. ''
change() {
  project
  try pm pkg "$@"
  head -n -4 package.json | tail -n +2 | tr -d '\n '
  echo
}
change set a=b name=new
change set version.x=1
change set 'scripts[x.y]=1'
change set a.b.c=d
change set 'a={"x":[1]}' --json
change set 'a={' --json
change set 'files[]=c'
change set 'files[0]=z'
change set 'files[9]=z'
change set 'files[0].x=z'
change set 'new[]=z'
change set a
change set =b
change set a=
change set
change delete name scripts.build
change delete 'files[0]'
change delete none.of.it
change delete
change nonsense
change fix
sed -i 's/"project"/" Project"/;s/"1.2.3"/"v1.2.3"/' package.json
try pm pkg fix
try pm pkg get name version
echo "-- version"
version() {
  project
  try pm version "$@"
  grep version package.json
}
for how in patch minor major prepatch preminor premajor prerelease 1.2.3 3.0.0-x.1+build word; do
  version $how
done
version prerelease --preid beta
version 1.2.3 --allow-same-version
version major --dry-run
sed -i 's/"1.2.3"/"2.0.0-beta.9"/' package.json
try pm version prerelease
try pm version prerelease --preid rc
try pm version major
sed -i 's/"build": "y"/"preversion": "echo before", "postversion": "echo after"/' package.json
try pm version patch
echo "-- whoami"
try pm whoami
echo "//$(echo $COB_CONFIG_REGISTRY | cut -d/ -f3)/:_authToken=good" > .npmrc
try pm whoami
sed -i 's/good/bad/' .npmrc
try pm whoami
try pm whoami --registry=$COB_CONFIG_REGISTRY/broken | sed "s#$COB_CONFIG_REGISTRY#URL#"
try pm whoami --offline
echo "-- errors"
try pm nonsense
try pm lst
try pm cache rm
ls cache 2> /dev/null
echo '{' > package.json
try pm ls
rm package.json
try pm ls
try pm pkg get
