// better-sqlite3, a native add-on, and knex and drizzle over it.
import assert from "node:assert";
import Database from "better-sqlite3";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import knex from "knex";
import path from "node:path";
import { folder } from "./run.mjs";

const dir = folder({});
const db = new Database(path.join(dir, "a.db"));
db.pragma("journal_mode = WAL");
db.exec("create table item (id integer primary key, name text unique, size integer, bytes blob)");
const insert = db.prepare("insert into item (name, size, bytes) values (@name, @size, @bytes)");
const all = db.transaction((rows) => rows.forEach((row) => insert.run(row)));
all(Array.from({ length: 1000 }, (_, i) => ({ name: "n" + i, size: i, bytes: Buffer.from([i & 255]) })));
assert.throws(() => all([{ name: "new", size: 1, bytes: null }, { name: "n1", size: 1, bytes: null }]), {
  code: "SQLITE_CONSTRAINT_UNIQUE",
});
assert.equal(db.prepare("select count(*) from item").pluck().get(), 1000);
const row = db.prepare("select * from item where name = ?").get("n255");
assert.deepEqual([row.size, [...row.bytes]], [255, [255]]);
assert.equal(db.prepare("select size from item").safeIntegers().pluck().get(), 0n);
let sum = 0;
for (const { size } of db.prepare("select size from item").iterate()) sum += size;
assert.equal(sum, (999 * 1000) / 2);
db.function("twice", (x) => x * 2);
db.aggregate("longest", { start: "", step: (a, b) => (b.length > a.length ? b : a) });
assert.deepEqual(db.prepare("select twice(21) as a, longest(name) as b from item").get(), { a: 42, b: "n100" });
await db.backup(path.join(dir, "b.db"));
assert.throws(() => db.prepare("select nonsense from item"), /no such column: nonsense/);

const items = sqliteTable("item", { id: integer("id").primaryKey(), name: text("name"), size: integer("size") });
const orm = drizzle(db);
assert.deepEqual(orm.select({ size: items.size }).from(items).where(eq(items.name, "n7")).all(), [{ size: 7 }]);
const made = await orm.insert(items).values({ name: "orm", size: 5 }).returning();
assert.equal(made[0].name, "orm");
orm.update(items).set({ size: sql`${items.size} + 1` }).where(eq(items.name, "orm")).run();
assert.equal(orm.select().from(items).where(eq(items.name, "orm")).get().size, 6);
db.close();

const builder = knex({ client: "better-sqlite3", connection: { filename: path.join(dir, "b.db") }, useNullAsDefault: true });
assert.equal((await builder("item").count({ n: "*" }))[0].n, 1000);
await builder.schema.createTable("tag", (table) => {
  table.increments();
  table.integer("item_id").references("item.id");
  table.string("label").notNullable();
});
await builder.transaction(async (trx) => {
  await trx("tag").insert([{ item_id: 1, label: "a" }, { item_id: 1, label: "b" }]);
});
const joined = await builder("item").join("tag", "tag.item_id", "item.id").select("name", "label").orderBy("label");
assert.deepEqual(joined, [{ name: "n0", label: "a" }, { name: "n0", label: "b" }]);
await assert.rejects(builder.transaction(async (trx) => {
  await trx("tag").insert({ label: "c" });
  throw new Error("undo");
}), { message: "undo" });
assert.equal((await builder("tag").count({ n: "*" }).first()).n, 2);
await builder.destroy();
console.log("ok");
