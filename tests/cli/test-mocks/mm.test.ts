import { test, expect, mock, jest } from "bun:test"; import { use } from "./user"; import { foo, bar } from "./dep"; import * as dep from "./dep"; import { readFileSync } from "node:fs";
test("before", () => { expect(use()).toBe("real1"); });
test("mock", async () => { await mock.module("./dep", () => ({ foo: () => "fake", default: 2 })); expect(foo()).toBe("fake"); expect(use()).toBe("fake2"); expect(require("./dep").foo()).toBe("fake"); expect((await import("./dep")).foo()).toBe("fake"); expect(bar).toBe(5); });
test("virtual", async () => { mock.module("not-there", () => ({ q: 1 })); expect((await import("not-there")).q).toBe(1); expect(require("not-there").q).toBe(1); });
test("fs", () => { mock.module("node:fs", () => ({ readFileSync: () => "mocked" })); expect(readFileSync("x")).toBe("mocked"); });
