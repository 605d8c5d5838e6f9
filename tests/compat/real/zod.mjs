// Schemas of most kinds, with what they say about wrong values.
import { z } from "./node_modules/zod/src/index.ts";

const user = z.object({
  id: z.int().positive(),
  name: z.string().min(2).max(10).trim(),
  mail: z.email().optional(),
  tags: z.array(z.enum(["a", "b"])).default([]),
  at: z.coerce.date(),
  kind: z.discriminatedUnion("type", [z.object({ type: z.literal("x"), n: z.number() }), z.object({ type: z.literal("y"), s: z.string() })]),
  more: z.record(z.string(), z.union([z.bigint(), z.boolean(), z.null()])),
}).strict().refine((v) => v.name !== "root", { error: "not root" });
const good = { id: 1, name: " ann ", at: 0, kind: { type: "x", n: 1 }, more: { a: true, b: null } };
console.log(JSON.stringify(user.parse(good)));
for (const bad of [null, {}, { ...good, id: -1.5, mail: "x", tags: ["c"], kind: { type: "z" }, more: { a: 1 }, extra: 1 }, { ...good, name: "root" }]) {
  const r = user.safeParse(bad);
  console.log(r.success, JSON.stringify(r.error?.issues));
}
const tree = z.lazy(() => z.object({ v: z.number(), kids: z.array(tree) }));
console.log(tree.safeParse({ v: 1, kids: [{ v: 2, kids: [{ v: "3", kids: [] }] }] }).error.message);
console.log(z.string().transform((s) => s.length).pipe(z.number().max(3)).safeParse("abcd").success);
console.log(JSON.stringify(z.toJSONSchema(z.object({ a: z.string().regex(/^a/), b: z.tuple([z.number(), z.iso.date()]) }))));
console.log(z.prettifyError(z.templateLiteral(["v", z.number()]).safeParse("vx").error));
