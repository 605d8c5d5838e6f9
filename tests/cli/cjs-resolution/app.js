const show = (id) => {
  try {
    console.log(id, "->", require(id));
  } catch (error) {
    console.log(id, "!!", error.code);
  }
};
for (const id of ["./file", "./file.js", "./dir", "./dir/", "./both", "./both/", "./data", "./data.json", "./pkg", "./pkg-bad",
  ".", "./", "plain", "plain/sub", "plain/sub.js", "plain/package.json", "with-main", "with-dir-main", "@scope/pkg",
  "@scope/pkg/deep/file", "exported", "exported/feature", "exported/internal", "exported/lib/x.js", "exported/lib/x",
  "exported/data/one", "exported/package.json", "conditions", "#internal", "#dep", "#missing", "self", "self/sub", 
  "node_modules/plain"]) show(id);
