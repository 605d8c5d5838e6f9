// bench/soak_server.js -- what bench/soak.c talks to.
const big = new Uint8Array(65536).fill(120);
const chunk = new Uint8Array(1000).fill(121);
const routes = {
  "/hello": () => new Response("Hello, World!"),
  "/json": () => Response.json({ message: "Hello", list: [1, 2, 3] }),
  "/big": () => new Response(big),
  "/later": async () => {
    await Bun.sleep(1);
    return new Response("Hello, World!");
  },
  "/stream": (url) => {
    let n = +url.search.slice(1);
    return new Response(new ReadableStream({
      async pull(controller) {
        if (n & 1) await 0;
        if (n-- > 0) controller.enqueue(chunk.slice());
        else controller.close();
      },
    }));
  },
};
let n = 0;
const server = Bun.serve({
  port: +(process.env.PORT ?? 3000),
  hostname: "127.0.0.1",
  development: false,
  async fetch(request) {
    if (request.method === "POST") {
      return new Response(++n & 1 ? await request.text() : await request.arrayBuffer());
    }
    const url = new URL(request.url);
    return routes[url.pathname]?.(url) ?? new Response("no", { status: 404 });
  },
  error: () => new Response("aborted", { status: 500 }),
});
console.log(`ready ${server.port}`);
