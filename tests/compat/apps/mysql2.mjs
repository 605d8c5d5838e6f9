// mysql2 against MariaDB: text and prepared statements, types, TLS, compression, transactions,
// pools, streams of rows, errors; callbacks and promises.
import assert from "node:assert";
import { once } from "node:events";
import callbacks from "mysql2";
import mysql2 from "mysql2/promise";
import { mysql } from "./servers.mjs";

const { stop, ca, socketPath, ...options } = await mysql();

const db = await mysql2.createConnection(options);
await db.query(
  "create table item (id int auto_increment primary key, name varchar(50) unique, size bigint," +
    " price decimal(10, 2), made datetime(3), bits blob, doc json)",
);
const made = new Date(1e12);
const [result] = await db.execute(
  "insert into item (name, size, price, made, bits, doc) values (?, ?, ?, ?, ?, ?)",
  ["häß", 5, "12.50", made, Buffer.from([0, 255]), JSON.stringify({ x: 1 })],
);
assert.deepEqual([result.insertId, result.affectedRows], [1, 1]);
for (const how of ["query", "execute"]) {
  const [[row], fields] = await db[how]("select * from item where id = ?", [1]);
  assert.deepEqual([row.name, row.size, row.price, row.made.getTime()], ["häß", 5, "12.50", 1e12]);
  assert.deepEqual([...row.bits], [0, 255]);
  assert.deepEqual(typeof row.doc === "string" ? JSON.parse(row.doc) : row.doc, { x: 1 });
  assert.equal(fields[1].name, "name");
}
await db.beginTransaction();
await db.query("insert into item (name) values ?", [[["a"], ["b"]]]);
await db.rollback();
const [[{ n }]] = await db.query("select count(*) as n from item");
assert.equal(n, 1);
await assert.rejects(db.query("insert into item (name) values ('häß')"), {
  code: "ER_DUP_ENTRY", errno: 1062, sqlState: "23000",
});
await assert.rejects(db.query("select nonsense from"), { code: "ER_PARSE_ERROR" });
assert.equal(db.escape("a'b\n"), String.raw`'a\'b\n'`);

const rows = Array.from({ length: 4000 }, (_, i) => ["n" + i, i]);
await db.query("insert into item (name, size) values ?", [rows]);
const plain = callbacks.createConnection({ ...options, socketPath, compress: true });
let sum = 0;
for await (const row of plain.query("select size from item where name like 'n%'").stream()) sum += row.size;
assert.equal(sum, (3999 * 4000) / 2);
const text = await new Promise((resolve, reject) => {
  plain.query("select repeat('xy', 500000) as text", (err, got) => (err ? reject(err) : resolve(got[0].text)));
});
assert.equal(text.length, 1000000);
plain.end();
await once(plain, "end");

const pool = mysql2.createPool({ ...options, connectionLimit: 3, ...(ca && { host: "localhost", ssl: { ca } }) });
const found = await Promise.all(rows.slice(0, 60).map(([name]) => pool.execute("select size from item where name = ?", [name])));
assert.deepEqual(found.map(([[row]]) => row.size), rows.slice(0, 60).map((row) => row[1]));
if (ca) {
  const [[status]] = await pool.query("show status like 'Ssl_version'");
  assert.match(status.Value, /^TLSv1\.[23]$/);
}
await pool.end();
await assert.rejects(mysql2.createConnection({ ...options, password: "no" }), { code: "ER_ACCESS_DENIED_ERROR" });
await db.end();
await stop();
console.log("ok");
