install() {
  echo "-- $1"
  shift
  "$COB" install "$@" 2>&1 | sed 's/\[[0-9.]*ms\]/[time]/'
  cat node_modules/leaf/index.js
}
mkdir patches
cat > package.json <<'END'
{ "dependencies": { "leaf": "1.5.0", "middle": "1" },
  "patchedDependencies": { "leaf@1.5.0": "patches/leaf.patch", "unknown@1.0.0": "nowhere" } }
END
cat > patches/leaf.patch <<'END'
What it is for.

diff --git a/index.js b/index.js
index 00..11 100644
--- a/index.js
+++ b/index.js
@@ -1 +1,2 @@
-module.exports = "leaf@1.5.0";
+// patched
+module.exports = "patched";
diff --git a/lib/run.sh b/lib/run.sh
new file mode 100755
--- /dev/null
+++ b/lib/run.sh
@@ -0,0 +1 @@
+echo it runs
END
install "a patch"
node_modules/leaf/lib/run.sh
cat node_modules/middle/node_modules/leaf/index.js
grep -A 3 patchedDependencies bun.lock
install "again"
sed -i 's/"patched"/"patched otherwise"/' patches/leaf.patch
install "another patch"
install "frozen" --frozen-lockfile
sed -i '/patchedDependencies/s/.*/"x": 0 }/' package.json
install "no patch"
ls -A node_modules/leaf
hostile() {
  sed -i 's#"x": 0 }#"patchedDependencies": { "leaf@1.5.0": "patches/leaf.patch" } }#' package.json
  cat > patches/leaf.patch
  install "$1"
}
hostile "out of the package" <<'END'
--- /dev/null
+++ b/../../../escaped
@@ -0,0 +1 @@
+out
END
hostile "an absolute path" <<'END'
--- /dev/null
+++ /escaped
@@ -0,0 +1 @@
+out
END
hostile "moved out" <<'END'
diff --git a/index.js b/../../escaped
rename from index.js
rename to ../../escaped
END
hostile "does not fit" <<'END'
--- a/index.js
+++ b/index.js
@@ -1 +1 @@
-something else
+new
END
hostile "no such file" <<'END'
--- a/none.js
+++ b/none.js
@@ -1 +1 @@
-something else
+new
END
hostile "a broken hunk" <<'END'
--- a/index.js
+++ b/index.js
@@ -1,4294967296 +1 @@
-x
END
hostile "a binary" <<'END'
diff --git a/index.js b/index.js
GIT binary patch
literal 1
END
hostile "nothing" < /dev/null
rm patches/leaf.patch
install "no file"
ls -A . cache/leaf* | grep -v "^cache\|sha\|@"
hostile "a file goes" <<'END'
diff --git a/index.js b/index.js
deleted file mode 100644
--- a/index.js
+++ /dev/null
@@ -1 +0,0 @@
-module.exports = "leaf@1.5.0";
END
ls -A node_modules/leaf
