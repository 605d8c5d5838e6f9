// pg against PostgreSQL: SCRAM, TLS, parameters, types, transactions, pools, notifications,
// cursors of rows one by one, cancelled and failed statements.
import assert from "node:assert";
import { once } from "node:events";
import pg from "pg";
import { postgres } from "./servers.mjs";

const { stop, ca, socketDir, ...where } = await postgres();
const options = { ...where, database: "postgres" };

const client = new pg.Client(options);
await client.connect();
const types = await client.query({
  text: "select $1::int as i, $2::text as t, $3::bytea as b, $4::jsonb as j, $5::timestamptz as d," +
    " $6::float8 as f, $7::int8 as big, $8::int[] as a, null as n, true as yes",
  values: [7, "häß", Buffer.from([0, 255, 10]), { x: [1] }, new Date(1e12), 1.5, "9007199254740993", [1, 2]],
});
const [row] = types.rows;
assert.deepEqual([row.i, row.t, [...row.b], row.j], [7, "häß", [0, 255, 10], { x: [1] }]);
assert.deepEqual([row.d.getTime(), row.f, row.big, row.a], [1e12, 1.5, "9007199254740993", [1, 2]]);
assert.deepEqual([row.n, row.yes], [null, true]);
assert.equal(types.fields[0].name, "i");

await client.query("create table item (id serial primary key, name text unique, size int)");
await client.query("begin");
for (const name of ["a", "b"]) await client.query("insert into item (name) values ($1)", [name]);
await client.query("rollback");
assert.equal((await client.query("select count(*)::int as n from item")).rows[0].n, 0);
const made = await client.query(
  "insert into item (name, size) select 'n' || i, i from generate_series(1, 5000) i returning id",
);
assert.equal(made.rowCount, 5000);
await assert.rejects(client.query("insert into item (name) values ('n1')"), {
  code: "23505", constraint: "item_name_key",
});
await assert.rejects(client.query("select * from nothing"), { code: "42P01" });
const prepared = { name: "by-name", text: "select size from item where name = $1" };
for (const n of [1, 17, 5000]) {
  assert.equal((await client.query({ ...prepared, values: ["n" + n] })).rows[0].size, n);
}
const many = await client.query({ text: "select id, name from item order by id", rowMode: "array" });
assert.equal(many.rows.length, 5000);
assert.equal(many.rows[4999][1], "n5000");

const notified = once(client, "notification");
await client.query("listen news");
const pool = new pg.Pool({ ...options, max: 4, ...(ca && { host: "localhost", ssl: { ca } }) });
if (ca) {
  const { rows } = await pool.query("select ssl, version from pg_stat_ssl where pid = pg_backend_pid()");
  assert.equal(rows[0].ssl, true);
  assert.match(rows[0].version, /^TLSv1\.[23]$/);
}
await pool.query("select pg_notify('news', 'hello')");
assert.equal((await notified)[0].payload, "hello");
const sums = await Promise.all(
  Array.from({ length: 40 }, (_, i) => pool.query("select sum(size)::int as s from item where id <= $1", [i])),
);
assert.equal(sums.length, 40);
assert.ok(pool.totalCount <= 4);
const big = "x".repeat(3 << 20);
assert.equal((await pool.query("select $1::text as big", [big])).rows[0].big.length, big.length);
await pool.end();

const local = new pg.Client({ ...options, host: socketDir });
await local.connect();
const slow = assert.rejects(local.query("select pg_sleep(30)"), { code: "57014" });
const state = "select state from pg_stat_activity where pid = $1 and query like '%pg_sleep%'";
while (!(await client.query(state, [local.processID])).rows.length) ;
await client.query("select pg_cancel_backend($1)", [local.processID]);
await slow;
await local.end();
const wrong = new pg.Client({ ...options, password: "no" });
await assert.rejects(wrong.connect(), { code: "28P01" });
const lost = new pg.Client(options);
await lost.connect();
lost.on("error", () => {});
const ended = once(lost, "error");
await client.query("select pg_terminate_backend($1)", [lost.processID]);
assert.match((await ended)[0].message, /terminat/);
await client.end();
await stop();
console.log("ok");
