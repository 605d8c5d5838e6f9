const tries = [() => import("virtual:late"), () => import("./text.shout"), () => import("missing:x")];
const run = async () => {
  for (const one of tries) await one().then((m) => console.log(m), (e) => console.log(e.name, e.message.split("\n")[0].replace(/\S*late.mjs/, "FILE")));
};
await run();
Bun.plugin({
  name: "late",
  setup(build) {
    build.module("virtual:late", () => ({ exports: { a: 1 }, loader: "object" }));
    build.onLoad({ filter: /^y$/, namespace: "missing" }, () => { throw new Error("from onLoad"); });
    build.onResolve({ filter: /^missing:x$/ }, async () => ({ path: "y", namespace: "missing" }));
  },
});
await run();
Bun.plugin.clearAll();
await import("virtual:other").catch((e) => console.log(e.code));
for (const bad of [undefined, {}, { setup: 1 }]) try { Bun.plugin(bad); } catch (e) { console.log(e.code); }
try { Bun.plugin({ setup(b) { b.onLoad({ filter: "x" }, () => {}); } }); } catch (e) { console.log(e.code); }
