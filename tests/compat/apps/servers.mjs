// Servers that the scripts of clients start for themselves: PostgreSQL, MariaDB, Redis. Each runs
// on loopback with its data in a folder of its own and ends with the script. A script whose server
// is not installed says so and counts as skipped.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY_MS_MAX = 30000;

/** The path of a program of PATH or of `folders`; without it the script ends as skipped. */
function programOf(name, ...folders) {
  const all = [...process.env.PATH.split(":"), "/usr/sbin", ...folders];
  const found = all.map((dir) => path.join(dir, name)).find((file) => fs.existsSync(file));
  if (found) return found;
  console.log(`skip: ${name} is not installed`);
  process.exit(0);
}

/** A port that nothing listens on. */
async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** A user that is not root, for servers that refuse to be: { uid, gid }, or {} when we are none. */
function plainUser() {
  if (process.getuid() !== 0) return {};
  const line = fs.readFileSync("/etc/passwd", "utf8").split("\n").find((l) => /^nobody:/.test(l));
  const [, , uid, gid] = line.split(":").map(Number);
  return { uid, gid };
}

/** A fresh folder that belongs to `user`. */
function dataFolder(name, user) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  if (user.uid !== undefined) fs.chownSync(dir, user.uid, user.gid);
  process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Starts a server and waits until it says `ready`: a function that ends it. */
async function start(program, args, options, ready) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (log += text));
  const closed = once(child, "close");
  process.on("exit", () => child.kill("SIGKILL"));
  for (const end = Date.now() + READY_MS_MAX; ; await sleep(50)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`${program}: ${log}`);
    if (ready.test(log)) break;
  }
  return async (signal = "SIGINT") => {
    child.kill(signal);
    await closed;
  };
}

/** A certificate for localhost in `dir` (cert.pem, key.pem); false without openssl. */
function certificateIn(dir, user) {
  try {
    execFileSync("openssl", [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
    ], { cwd: dir, stdio: "ignore" });
  } catch {
    return false;
  }
  fs.chmodSync(path.join(dir, "key.pem"), 0o600);
  if (user.uid !== undefined) fs.chownSync(path.join(dir, "key.pem"), user.uid, user.gid);
  return true;
}

/** PostgreSQL with SCRAM passwords: { host, port, user, password, socketDir, ca, stop }. */
export async function postgres() {
  const versions = "/usr/lib/postgresql";
  const dirs = fs.existsSync(versions)
    ? fs.readdirSync(versions).map((v) => path.join(versions, v, "bin")) : [];
  const initdb = programOf("initdb", ...dirs);
  const program = programOf("postgres", ...dirs);
  const user = plainUser();
  const dir = dataFolder("pg", user);
  const options = { ...user, cwd: dir, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  fs.writeFileSync(path.join(dir, "password"), "p@ss wörd\n");
  const data = path.join(dir, "data");
  execFileSync(initdb, [
    "-D", data, "-U", "app", "-A", "scram-sha-256", "--pwfile", path.join(dir, "password"),
    "-E", "UTF8", "--no-sync",
  ], { ...options, stdio: "pipe" });
  const port = await freePort();
  const tls = certificateIn(dir, user);
  const settings = [
    ["listen_addresses", "127.0.0.1"], ["port", port], ["unix_socket_directories", dir],
    ["fsync", "off"], ["ssl", tls ? "on" : "off"],
    ["ssl_cert_file", path.join(dir, "cert.pem")], ["ssl_key_file", path.join(dir, "key.pem")],
  ];
  const args = ["-D", data, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const stop = await start(program, args, options, /ready to accept connections/);
  const ca = tls ? fs.readFileSync(path.join(dir, "cert.pem"), "utf8") : undefined;
  return { host: "127.0.0.1", port, user: "app", password: "p@ss wörd", socketDir: dir, ca, stop };
}

/** MariaDB: { host, port, user, password, socketPath, ca, stop }. */
export async function mysql() {
  const install = programOf("mariadb-install-db");
  const program = programOf("mariadbd");
  const user = plainUser();
  const dir = dataFolder("my", user);
  const options = { ...user, cwd: dir };
  const data = path.join(dir, "data");
  execFileSync(install, [
    "--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ], { ...options, stdio: "pipe" });
  fs.writeFileSync(
    path.join(dir, "init.sql"),
    "CREATE DATABASE app;\nCREATE USER app@localhost IDENTIFIED BY 'secret';\n" +
      "GRANT ALL ON app.* TO app@localhost;\n",
  );
  const port = await freePort();
  const socketPath = path.join(dir, "my.sock");
  const tls = certificateIn(dir, user);
  const stop = await start(program, [
    "--no-defaults", `--datadir=${data}`, `--socket=${socketPath}`, `--port=${port}`,
    "--bind-address=127.0.0.1", `--pid-file=${path.join(dir, "pid")}`,
    `--init-file=${path.join(dir, "init.sql")}`, "--innodb-flush-log-at-trx-commit=0",
    ...(tls ? ["--ssl-cert=cert.pem", "--ssl-key=key.pem"].map((a) => a.replace("=", `=${dir}/`)) : []),
  ], options, /ready for connections/);
  const ca = tls ? fs.readFileSync(path.join(dir, "cert.pem"), "utf8") : undefined;
  return {
    host: "127.0.0.1", port, user: "app", password: "secret", database: "app", socketPath, ca,
    stop: () => stop("SIGTERM"),
  };
}

/** Redis: { host, port, socketPath, stop }. */
export async function redis() {
  const program = programOf("redis-server");
  const user = plainUser();
  const dir = dataFolder("redis", user);
  const port = await freePort();
  const socketPath = path.join(dir, "redis.sock");
  const stop = await start(program, [
    "--port", String(port), "--bind", "127.0.0.1", "--unixsocket", socketPath, "--save", "",
    "--requirepass", "secret", "--dir", dir,
  ], { ...user, cwd: dir }, /[Rr]eady to accept connections/);
  return { host: "127.0.0.1", port, socketPath, password: "secret", stop };
}
