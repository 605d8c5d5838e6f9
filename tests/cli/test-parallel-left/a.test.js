const { spawn } = require("node:child_process");
const { once } = require("node:events");

// It ends when nobody reads any more.
test("leaves a process", async () => {
  const child = spawn("sh", ["-c", "echo ready >&2; exec yes x"], {
    stdio: ["ignore", "inherit", "pipe"], detached: true,
  });
  child.unref();
  await once(child.stderr, "data");
  child.stderr.destroy();
});
