const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/echo") {
      return new Response(await request.text(), { headers: { "x-method": request.method } });
    }
    if (pathname === "/headers") return Response.json(request.headers);
    if (pathname === "/to") return Response.redirect("/echo", 303);
    if (pathname === "/loop") return Response.redirect("/loop");
    if (pathname === "/gzip") {
      const data = Bun.gzipSync(new TextEncoder().encode("packed".repeat(50000)));
      return new Response(data, { headers: { "content-encoding": "gzip" } });
    }
    if (pathname === "/big") return new Response("b".repeat(3000000));
    if (pathname === "/never") return new Promise(() => {});
    return new Response("not found", { status: 404, statusText: "Nope" });
  },
});
const url = `http://127.0.0.1:${server.port}`;
const code = (promise) => promise.then(() => "fine", (error) => error.code ?? error.name);

test("methods, headers, bodies", async () => {
  const response = await fetch(`${url}/echo`, { method: "post", body: "text" });
  expect([response.status, response.ok, response.url, response.headers.get("x-method")]).toEqual(
    [200, true, `${url}/echo`, "POST"],
  );
  expect(await response.text()).toBe("text");
  expect(response.bodyUsed).toBe(true);
  const json = await (await fetch(`${url}/headers`, { headers: { "X-A": "1" } })).json();
  expect([json["x-a"], json.accept, json.host]).toEqual(["1", "*/*", url.slice(7)]);
  expect((await fetch(`${url}/none`)).status).toBe(404);
});

test("streams up and down", async () => {
  let n = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (n++ === 50) controller.close();
      else controller.enqueue(new Uint8Array(10000).fill(97));
    },
  });
  const response = await fetch(`${url}/echo`, { method: "PUT", body, duplex: "half" });
  let total = 0;
  for await (const chunk of response.body) total += chunk.length;
  expect(total).toBe(500000);
  expect((await (await fetch(`${url}/big`)).bytes()).length).toBe(3000000);
  expect((await (await fetch(`${url}/gzip`)).text()).length).toBe(300000);
});

test("redirects", async () => {
  const response = await fetch(`${url}/to`, { method: "POST", body: "x" });
  expect([response.redirected, response.url, response.headers.get("x-method")]).toEqual(
    [true, `${url}/echo`, "GET"],
  );
  expect((await fetch(`${url}/to`, { redirect: "manual" })).status).toBe(303);
  expect(await code(fetch(`${url}/to`, { redirect: "error" }))).toBe("UnexpectedRedirect");
  expect(await code(fetch(`${url}/loop`))).toBe("TooManyRedirects");
});

test("aborting and refusals", async () => {
  const controller = new AbortController();
  const promise = fetch(`${url}/never`, { signal: controller.signal });
  controller.abort();
  expect(await code(promise)).toBe(20);
  const reason = new Error("mine");
  await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await code(fetch("http://127.0.0.1:1/"))).toBe("ECONNREFUSED");
  expect(await code(fetch("nonsense"))).toBe("ERR_INVALID_URL");
  expect(await code(fetch(url, { body: "x" }))).toBe("ERR_INVALID_ARG_VALUE");
});

test("many at once over the connections there are", async () => {
  const all = Array.from({ length: 60 }, async (_, i) => {
    const response = await fetch(`${url}/echo`, { method: "POST", body: `${i}` });
    return Number(await response.text());
  });
  const sum = (await Promise.all(all)).reduce((a, b) => a + b, 0);
  expect(sum).toBe((60 * 59) / 2);
});

test("integrity, data: and clone", async () => {
  const good = "sha256-iMuKCHtujOv8muVgL1ohWaa8+SPn8sVoCbzabK0XJ6c=";
  const call = (integrity) =>
    fetch(`${url}/echo`, { method: "POST", body: "packed", integrity }).then((r) => r.text());
  expect(await code(call("sha256-AAAA"))).toBe("TypeError");
  expect(await call(good)).toBe("packed");
  expect(await (await fetch("data:text/plain;base64,aGk=")).text()).toBe("hi");
  const response = await fetch(`${url}/big`);
  const copy = response.clone();
  expect((await response.text()).length + (await copy.text()).length).toBe(6000000);
});

test("the server stops", async () => {
  await server.stop(true);
});

test("a `then` on Object.prototype sees no bytes of ours", async () => {
  const bytes = new TextEncoder().encode("hello");
  const stream = () => new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  for (const body of [bytes, stream(), new Blob([bytes, "!"]), "hello"]) {
    const response = new Response(body);
    Object.prototype.then = (fulfil) => {
      delete Object.prototype.then;
      fulfil({ done: false, value: 8.2 });
    };
    const text = await response.text();
    delete Object.prototype.then;
    expect(text.slice(0, 5)).toBe("hello");
  }
});

test("an aborted signal cancels the body at once; options are checked first", async () => {
  const signal = AbortSignal.abort();
  let reason;
  const body = new ReadableStream({
    cancel(why) {
      reason = why;
    },
  });
  const url = "http://127.0.0.1:1/";
  const failed = fetch(url, { method: "POST", body, signal }).catch((error) => error);
  expect(reason).toBe(signal.reason);
  expect(await failed).toBe(signal.reason);
  for (const init of [{ credentials: "BAD" }, { referrerPolicy: "BAD" }, { mode: "BAD" }]) {
    const error = await fetch(url, { ...init, signal }).catch((e) => e);
    expect(error instanceof TypeError).toBe(true);
  }
});

test("a request is copied with its headers", () => {
  const first = new Request("http://a.test/", { method: "POST", headers: { "X-One": "1" } });
  expect(first.clone().headers.get("x-one")).toBe("1");
  expect(new Request(first).headers.get("x-one")).toBe("1");
});
