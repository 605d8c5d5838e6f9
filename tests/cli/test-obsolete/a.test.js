import { test, expect } from "bun:test";
test("a", () => { expect(1).toMatchSnapshot(); });
test("c", () => { expect({a:2}).toMatchSnapshot("hint"); });
test.skip("d", () => { expect(3).toMatchSnapshot(); });
