export default ({ publish, packages, answers }) => {
  publish({ name: "lib", version: "1.0.0", license: "MIT" });
  publish({ name: "lib", version: "1.2.0", license: { type: "BSD" }, bin: { a: "a", b: "b" } });
  publish({ name: "lib", version: "2.0.0", description: "a library", license: "MIT",
    homepage: "https://example.com/", keywords: ["x", "y"], deprecated: "take another",
    dependencies: { leaf: "1", peer: "*" }, exports: { ".": { default: "./index.js" } } });
  Object.assign(packages.get("lib"), { time: { "2.0.0": "2024-01-05T00:00:00.000Z" },
    maintainers: [{ name: "joe", email: "joe@example.com" }] });
  Object.assign(packages.get("lib")["dist-tags"], { old: "1.0.0" });
  Object.assign(packages.get("lib").versions["2.0.0"].dist,
    { unpackedSize: 1234567, shasum: "00", integrity: "sha512-x" });
  publish({ name: "@me/prog", version: "0.1.0", bin: "./x" });
  answers.set("/refused", () => [401, "{}"]);
  answers.set("/failing", () => [500, "no"]);
  answers.set("/broken", () => [200, "{\"name\": "]);
  answers.set("/odd", () => [200, "{\"versions\":{\"1.0.0\":7},\"dist-tags\":{\"latest\":\"1.0.0\"}}"]);
  answers.set("/none", () => [200, "[]"]);
};
