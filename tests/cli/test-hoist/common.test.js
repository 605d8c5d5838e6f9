import common, { f } from "./common";
import { name } from "pkg";

vi.mock("./common", async (orig) => ({ ...(await orig()), f: () => "mocked" }));
jest.mock("pkg").mock("./not-there", () => ({ default: "virtual" }));

test("a CommonJS file", () => {
  expect(f()).toBe("mocked");
  expect(common.g).toBe(1);
  expect(require("./common").f()).toBe("mocked");
  expect(jest.requireActual("./common").f()).toBe("cjs real");
});
test("a package", () => expect(name).toBe("manual pkg"));
test("made from a module", () => {
  const made = jest.createMockFromModule("./common");
  expect(made.f()).toBeUndefined();
  expect(made.g).toBe(1);
});
