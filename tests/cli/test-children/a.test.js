// A child of beforeAll stays, one of a test whose time is over does not.
let server;
beforeAll(() => {
  server = Bun.spawn({ cmd: ["sleep", "20"] });
});
let left;
test("leaves a process", async () => {
  left = Bun.spawn({ cmd: ["sleep", "20"] });
  await left.exited;
}, 150);
test("it is gone", async () => {
  await left.exited;
  expect(left.signalCode).toBe("SIGKILL");
  expect(server.exitCode).toBe(null);
  server.kill();
  await server.exited;
});
