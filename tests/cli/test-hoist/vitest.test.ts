import { expect, test, vi } from "vitest";
import { use, read } from "./user";
import * as dep from "./dep";
import main, { Thing, list, n } from "./dep";
import { who } from "./man";

const { spy } = vi.hoisted(() => ({ spy: vi.fn(() => "hoisted") }));
const later = vi.fn(() => "later");
vi.mock("./dep", async (importOriginal) => {
  const real = await importOriginal<typeof import("./dep")>();
  return { ...real, get: () => spy() };
});
vi.mock("./man");
vi.mock("node:fs", () => ({ readFileSync: () => later() }));

test("factory", async () => {
  expect(use()).toBe("used hoisted");
  expect(dep.get()).toBe("hoisted");
  expect(n).toBe(42);
  expect(main()).toBe("main");
  expect(spy).toHaveBeenCalledTimes(2);
  const real = await vi.importActual("./dep");
  expect(real.get()).toBe("real");
});
test("manual", () => expect(who()).toBe("manual"));
test("builtin", () => expect(read()).toBe("later"));
