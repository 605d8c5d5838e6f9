import { get, Thing } from "./dep";

vi.mock(import("./dep"), { spy: true });
test("spies", () => {
  expect(get()).toBe("real");
  expect(get).toHaveBeenCalledTimes(1);
  expect(new Thing().run()).toBe(1);
});
