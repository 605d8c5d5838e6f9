import { test, expect } from "bun:test";
import { add, K } from "./src/math";
test("adds", () => { expect(add(1, 2)).toBe(3); expect(new K().used()).toBe(1); });
