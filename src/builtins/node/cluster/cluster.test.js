// Tests of node:cluster and of handles that go along with messages.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

// A collection after every native call would make the processes take minutes.
const env = { ...process.env };
delete env.COB_GC_STRESS;

function run(text) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "cluster-"));
  const file = path.join(dir, "main.js");
  fs.writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8", env });
  fs.rmSync(dir, { recursive: true });
  return [status, stdout, stderr];
}

for (const policy of ["SCHED_RR", "SCHED_NONE"]) {
  test(`workers share a server: ${policy}`, () => {
    expect(run(`
      const cluster = require("node:cluster");
      const net = require("node:net");
      if (cluster.isWorker) {
        net.createServer((s) => s.end(String(cluster.worker.id))).listen(0, "127.0.0.1");
        return;
      }
      cluster.schedulingPolicy = cluster.${policy};
      const workers = [cluster.fork(), cluster.fork()];
      const ports = new Set();
      const answers = [];
      const ask = (port) => {
        let text = "";
        net.connect(port, "127.0.0.1").on("data", (d) => (text += d)).on("close", () => {
          answers.push(text);
          if (answers.length < 8) return ask(port);
          cluster.disconnect(() => {
            console.log(ports.size, answers.every((a) => a === "1" || a === "2"));
            if ("${policy}" === "SCHED_RR") console.log(new Set(answers).size);
          });
        });
      };
      let n = 0;
      cluster.on("listening", (worker, { port }) => {
        ports.add(port);
        if (++n === 2) ask(port);
      });
    `)).toEqual([0, policy === "SCHED_RR" ? "1 true\n2\n" : "1 true\n", ""]);
  });
}

test("http in workers; a worker that is killed", () => {
  expect(run(`
    const cluster = require("node:cluster");
    const http = require("node:http");
    if (cluster.isWorker) {
      http.createServer((q, r) => r.end("hello")).listen(0, "127.0.0.1");
      return;
    }
    const worker = cluster.fork();
    worker.on("listening", ({ port }) => {
      http.get({ port, host: "127.0.0.1" }, (r) => {
        r.on("data", (d) => console.log(String(d)));
        r.on("end", () => worker.kill());
      });
    });
    cluster.on("exit", (w, code, signal) => console.log(w === worker, code, signal));
  `)).toEqual([0, "hello\ntrue null SIGTERM\n", ""]);
});

test("sockets and datagram sockets in messages", () => {
  expect(run(`
    const { fork } = require("node:child_process");
    const net = require("node:net");
    const dgram = require("node:dgram");
    if (process.argv[2] === "child") {
      process.on("message", (m, handle) => {
        if (m === "socket") return handle.end("from the child");
        handle.once("message", (t, from) => handle.send("pong", from.port, () => {
          handle.close();
          process.disconnect();
        }));
        process.send(m);
      });
      return;
    }
    const child = fork(__filename, ["child"]);
    const server = net.createServer((s) => { child.send("socket", s); server.close(); });
    server.listen(0, "127.0.0.1", () => {
      let text = "";
      net.connect(server.address().port, "127.0.0.1").on("data", (d) => (text += d))
        .on("close", () => { console.log(text); udp(); });
    });
    function udp() {
      const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1", () => {
        child.send("dgram", socket, () => {});
        child.once("message", () => {
          const { port } = socket.address();
          socket.close();
          const other = dgram.createSocket("udp4");
          // What our own socket takes while it closes is lost.
          const again = setInterval(() => other.send("ping", port, "127.0.0.1"), 5);
          other.on("message", (m) => {
            clearInterval(again);
            console.log(String(m));
            other.close();
          });
        });
      });
    }
  `)).toEqual([0, "from the child\npong\n", ""]);
});
