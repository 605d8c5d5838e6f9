start() {
  echo "-- $*"
  rm -rf node_modules bun.lock* package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml
  cat > package.json <<'END'
{ "name": "project", "dependencies": { "leaf": "^1.0.0", "middle": "^1.0.0", "two": "npm:leaf@2" } }
END
}
show() {
  "$COB" "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/;s/127.0.0.1:[0-9]*/REGISTRY/'
  grep -o '^ *"[^ ]*: \["[^"]*' bun.lock 2> /dev/null
}
v3() {
  cat <<END
{ "lockfileVersion": $1, "packages": {
  "": { "dependencies": { "leaf": "^1.0.0", "middle": "^1.0.0", "two": "npm:leaf@2" } },
  "node_modules/leaf": { "version": "1.0.0" },
  "node_modules/two": { "name": "leaf", "version": "2.0.0" },
  "node_modules/middle": { "version": "1.0.0",
    "dependencies": { "leaf": "^2.0.0", "@scope/tool": "3" }, "peerDependencies": { "peer": "*" } },
  "node_modules/middle/node_modules/leaf": { "version": "2.0.0" },
  "node_modules/@scope/tool": { "version": "3.1.0", "dependencies": { "leaf": "^1.0.0" } },
  "node_modules/peer": { "version": "0.1.0", "peer": true } } }
END
}
start npm 7 and later
v3 3 > package-lock.json
show pm migrate
show install --frozen-lockfile
start npm 6
cat > package-lock.json <<'END'
{ "lockfileVersion": 1, "dependencies": {
  "leaf": { "version": "1.0.0" }, "two": { "version": "npm:leaf@2.0.0" },
  "middle": { "version": "1.0.0", "requires": { "leaf": "^2.0.0", "@scope/tool": "3" },
    "dependencies": { "leaf": { "version": "2.0.0" } } },
  "@scope/tool": { "version": "3.1.0", "requires": { "leaf": "^1.0.0" } } } }
END
show pm migrate
start Yarn 1
cat > yarn.lock <<'END'
# yarn lockfile v1


"@scope/tool@3":
  version "3.1.0"
  dependencies:
    leaf "^1.0.0"

leaf@^1.0.0, "leaf@^1.0.0 || ^7":
  version "1.0.0"
  resolved "https://example.com/leaf-1.0.0.tgz#00"

leaf@^2.0.0:
  version "2.0.0"

middle@^1.0.0:
  version "1.0.0"
  dependencies:
    "@scope/tool" "3"
    leaf "^2.0.0"

"two@npm:leaf@2":
  version "2.0.0"
END
show install
start Yarn 4
cat > yarn.lock <<'END'
__metadata:
  version: 8
  cacheKey: 10c0

"leaf@npm:^1.0.0, leaf@npm:^1.0.0 || ^7":
  version: 1.0.0
  resolution: "leaf@npm:1.0.0"
  checksum: 10c0/00
  languageName: node
  linkType: hard

"project@workspace:.":
  version: 0.0.0-use.local
  resolution: "project@workspace:."
END
show pm migrate
pnpm() {
  cat > pnpm-lock.yaml
  show pm migrate
}
start pnpm 9
pnpm <<'END'
lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      leaf:
        specifier: ^1.0.0
        version: 1.0.0
      middle:
        specifier: ^1.0.0
        version: 1.0.0(peer@0.1.0)
      two:
        specifier: npm:leaf@2
        version: leaf@2.0.0
packages:
  leaf@1.0.0:
    resolution: {tarball: https://example.com/x.tgz}
snapshots:
  '@scope/tool@3.1.0':
    dependencies:
      leaf: 1.0.0
  middle@1.0.0(peer@0.1.0):
    dependencies:
      '@scope/tool': 3.1.0
      leaf: 2.0.0
      peer: 0.1.0
END
start pnpm 6
pnpm <<'END'
lockfileVersion: '6.0'
dependencies:
  leaf:
    specifier: ^1.0.0
    version: 1.0.0
  two:
    specifier: npm:leaf@2
    version: /leaf@2.0.0
packages:
  /@scope/tool@3.1.0:
    resolution: {integrity: sha1-x}
    dependencies:
      leaf: 1.0.0
END
start pnpm 5
pnpm <<'END'
lockfileVersion: 5.4
specifiers:
  leaf: ^1.0.0
dependencies:
  leaf: 1.0.0
  middle: 1.0.0_peer@0.1.0
packages:
  /@scope/tool/3.1.0:
    resolution: {integrity: sha1-x}
    dependencies:
      leaf: 1.0.0
END
start what package.json asks for has changed
v3 3 | sed 's/"version": "1.0.0"/"version": "1.5.0"/' > package-lock.json
sed -i 's/"leaf": "^1.0.0"/"leaf": "2"/' package.json
show install --frozen-lockfile
show install
start a version that is gone
v3 3 | sed 's/"version": "3.1.0"/"version": "3.0.9"/' > npm-shrinkwrap.json
show pm migrate
start a digest that is not that of the tarball
v3 2 | sed "s#leaf\": { \"version\": \"1.0.0\"#&, \"integrity\": \"sha512-$(printf 'A%.0s' $(seq 86))==\"#" > package-lock.json
show install
ls node_modules 2>/dev/null
start errors
show pm migrate
echo '{"packages": {' > package-lock.json
show install
printf 'leaf@1:\n  version "1.0.0"\n<<<<<<< HEAD\n' > yarn.lock
rm package-lock.json
show install
printf 'leaf\n' > yarn.lock
show install
rm yarn.lock
printf 'a: [\n' > pnpm-lock.yaml
show install
printf 'packages:\n  - packages/*\n' > pnpm-workspace.yaml
show install
rm pnpm-lock.yaml pnpm-workspace.yaml
v3 3 > package-lock.json
show install
show pm migrate
show pm migrate --force
