import { value } from "./dep";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";

declare global {
  var count: number, port: number, pid: number;
}
globalThis.count ??= 0;
globalThis.count += 1;
globalThis.pid ??= process.pid;
const hot = import.meta.hot!;
hot.data.runs = (hot.data.runs ?? 0) + 1;
if (globalThis.port === undefined) {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  globalThis.port = (probe.address() as net.AddressInfo).port;
  probe.close();
  await once(probe, "close");
}
const server = Bun.serve({ port: 0, fetch: () => new Response(`serve ${value} ${globalThis.count}`) });
globalThis.port2 ??= server.port;
const node = http.createServer((req, res) => res.end(`http ${value}`)).listen(globalThis.port, "127.0.0.1");
await once(node, "listening");
const texts = [];
for (const url of [server.url, `http://127.0.0.1:${globalThis.port}`]) texts.push(await (await fetch(url)).text());
console.log("run", value, texts.join(), hot.data.runs, server.port === globalThis.port2, pid === process.pid);
