import { test } from "bun:test";

test("c1", () => {});
test("c2", () => process.exit(0));
test("never", () => {});
