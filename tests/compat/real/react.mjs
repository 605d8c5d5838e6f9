// Server rendering: hooks, context, suspense, escapes, streams.
import React from "./node_modules/react/index.js";
import server from "./node_modules/react-dom/server.node.js";
import { PassThrough } from "node:stream";

const h = React.createElement;
const Theme = React.createContext("light");
const Slow = React.lazy(() => Promise.resolve({ default: (p) => h("b", null, p.text) }));
function Item({ n }) {
  const [value] = React.useState(() => n * 2);
  const id = React.useId();
  const theme = React.useContext(Theme);
  const memo = React.useMemo(() => `<${value}>`, [value]);
  return h("li", { id, className: theme, style: { marginTop: n, color: "red" }, "data-x": '"&', onClick() {} }, memo, n > 1 && "\u00e9", null);
}
const App = () => h(Theme.Provider, { value: "dark" }, h("ul", null, [1, 2, 3].map((n) => h(Item, { n, key: n }))), h("textarea", { defaultValue: "</textarea>" }), h("input", { checked: true, readOnly: true }), h("svg", { viewBox: "0 0 1 1" }, h("path", { strokeWidth: 2 })));
console.log(server.renderToString(h(App)));
console.log(server.renderToStaticMarkup(h(App)));
const out = new PassThrough();
const chunks = [];
out.on("data", (c) => chunks.push(c));
const { pipe } = server.renderToPipeableStream(h("main", null, h(React.Suspense, { fallback: "wait" }, h(Slow, { text: "there" }))), { onAllReady: () => pipe(out) });
await new Promise((done) => out.on("end", done));
console.log(Buffer.concat(chunks).toString());
