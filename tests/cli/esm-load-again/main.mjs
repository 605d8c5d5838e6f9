import { writeFileSync } from "node:fs";
const load = () => import("./a.mjs").then((m) => console.log(m.c), (e) => console.log(e.code));
await load();
await load();
writeFileSync(new URL("./c.mjs", import.meta.url), "export const c = 'found';");
await load();
