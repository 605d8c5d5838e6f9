Bun.plugin({
  name: "all kinds",
  async setup(build) {
    build.onLoad({ filter: /\.shout$/ }, async ({ path, namespace }) => {
      const text = await require("node:fs").promises.readFile(path, "utf8");
      return { contents: `export default ${JSON.stringify(text.trim().toUpperCase())} as string`, loader: "ts" };
    });
    build.onResolve({ filter: /^color:/ }, ({ path }) => ({ path, namespace: "colors" }));
    build.onLoad({ filter: /.*/, namespace: "colors" }, ({ path, namespace }) => ({
      exports: { name: path, namespace, default: "a color" },
      loader: "object",
    }));
    build.onResolve({ filter: /^short$/ }, () => ({ path: "./long.ts" }));
    build.onLoad({ filter: /\.conf$/ }, () => ({ contents: "a = 1", loader: "toml" }));
    build.module("virtual:env", () => ({ exports: { mode: "test" }, loader: "object" }));
    build.module("virtual:code", async () => ({ contents: "export const sum = (a: number) => a + 1; import './long.ts'", loader: "ts" }));
  },
});
