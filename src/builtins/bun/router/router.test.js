// Tests of Bun.FileSystemRouter.
const fs = require("node:fs");
const path = require("node:path");

const dir = fs.mkdtempSync("/tmp/cob-router-");
process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
const FILES = [
  "index.tsx", "settings.tsx", "blog/[slug].tsx", "blog/index.tsx", "blog/new.js", "[user].jsx",
  "[[...all]].tsx", "[a]/b/[...rest].ts", "x.css", ".hidden.js",
];
for (const file of FILES) {
  fs.mkdirSync(path.dirname(`${dir}/${file}`), { recursive: true });
  fs.writeFileSync(`${dir}/${file}`, "");
}
const make = (more) =>
  new Bun.FileSystemRouter({ style: "nextjs", dir, origin: "https://h", assetPrefix: "_s/", ...more });

test("the most exact route answers", () => {
  const router = make();
  for (const [url, name, kind, params] of [
    ["/", "/", "exact", {}],
    ["/index", "/", "exact", {}],
    ["/settings", "/settings", "exact", {}],
    ["/blog/", "/blog", "exact", {}],
    ["/blog/new", "/blog/new", "exact", {}],
    ["/blog/a%20b", "/blog/[slug]", "dynamic", { slug: "a b" }],
    ["/zz", "/[user]", "dynamic", { user: "zz" }],
    ["/zz/b/c/d", "/[a]/b/[...rest]", "catch-all", { a: "zz", rest: "c/d" }],
    ["/zz/b", "/[[...all]]", "optional-catch-all", { all: "zz/b" }],
  ]) {
    const found = router.match(url);
    expect([url, found.name, found.kind, found.params]).toEqual([url, name, kind, params]);
  }
  expect(router.match("settings")).toBe(null);
  expect(make({ fileExtensions: [".css"] }).match("/settings")).toBe(null);
});

test("a match", () => {
  const found = make().match("https://h/blog/abc?x=1&y=2&x=3&slug=no");
  expect({ ...found }).toEqual({
    filePath: `${dir}/blog/[slug].tsx`, kind: "dynamic", name: "/blog/[slug]", params: { slug: "abc" },
    pathname: "/blog/abc?x=1&y=2&x=3&slug=no", query: { x: ["1", "3"], y: "2", slug: "abc" },
    scriptSrc: "https://h/_s/blog/[slug].tsx", src: "https://h/_s/blog/[slug].tsx",
  });
  expect(make().match(new Request("https://h/blog/q")).params).toEqual({ slug: "q" });
});

test("reload, and what is wrong", () => {
  const router = make();
  fs.writeFileSync(`${dir}/later.js`, "");
  expect(Object.keys(router.routes).includes("/later")).toBe(false);
  expect(router.reload()).toBe(router);
  expect(router.routes["/later"]).toBe(`${dir}/later.js`);
  expect(() => make({ style: "x" })).toThrow("Only 'nextjs' style");
  expect(() => make({ dir: "/none_" })).toThrow("Unable to find directory: /none_");
  expect(() => make({ dir: undefined })).toThrow("dir is required");
  expect(() => router.match(5)).toThrow("Expected string, Request or Response");
});
