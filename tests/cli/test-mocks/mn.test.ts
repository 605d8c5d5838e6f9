import { expect, test, vi } from "vitest"; import { expect as e2 } from "@jest/globals"; import { foo } from "./dep"; import { readFileSync } from "node:fs";
test("fresh", () => { expect(foo()).toBe("real"); expect(e2).toBe(expect); expect(readFileSync(import.meta.path, "utf8")).toContain("fresh"); });
