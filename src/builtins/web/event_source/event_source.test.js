test("events, ids, types, another connection", async () => {
  let n = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (n++ === 0) {
        return new Response(": hi\nretry: 1\n\ndata: a\ndata: b\nid: 7\n\nevent: x\rdata:c\r\rdata: lost", {
          headers: { "content-type": "text/event-stream" },
        });
      }
      return new Response(`data: ${request.headers.get("last-event-id")}\n\n`, {
        headers: { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  });
  const source = new EventSource(`http://127.0.0.1:${server.port}/`);
  const got = [];
  await new Promise((resolve) => {
    source.addEventListener("x", ({ data, lastEventId }) => got.push(data, lastEventId));
    source.onmessage = ({ data }) => {
      got.push(data);
      if (got.length === 4) resolve();
    };
  });
  expect(got).toEqual(["a\nb", "c", "7", "7"]);
  source.close();
  expect(source.readyState).toBe(2);
  await server.stop(true);
});
