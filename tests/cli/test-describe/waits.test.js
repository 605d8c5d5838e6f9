import { beforeAll, describe, expect, test } from "bun:test";

const order = [];
let n = 0;
describe("outer", async () => {
  order.push("outer");
  test("first", () => {});
  await new Promise((resolve) => setTimeout(resolve, 1));
  order.push("outer, later");
  describe("inner", async () => {
    order.push("inner");
    await 1;
    let isReady = false;
    test("inside", () => expect(isReady).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 1));
    beforeAll(() => {
      isReady = true;
    });
  });
  test("behind inner", () => {});
  order.push("outer, end");
});
describe("next", () => {
  order.push("next");
  n++;
});
test(`made before the functions ran: ${n}`, () => expect(n).toBe(1));
order.push("file");
await 1;
order.push("file, later");
test("order", () => expect(order).toEqual([
  "file", "file, later", "outer", "outer, later", "outer, end", "inner", "next",
]));
