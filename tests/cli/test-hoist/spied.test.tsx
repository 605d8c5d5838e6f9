/** @jsxImportSource rt */
import { expect, spyOn, test } from "bun:test";
import * as dep from "./dep";

test("elements", () => {
  spyOn(dep, "get").mockReturnValue("spied");
  expect(<b>{dep.get()}</b>).toBe("b:spied");
});
