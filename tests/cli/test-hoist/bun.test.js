import { jest, test, expect } from "bun:test";
import { get } from "./dep";
const value = "later";
jest.mock("./dep", () => ({ get: () => value, default: 1 }));
test("bun", () => expect(get()).toBe("later"));
