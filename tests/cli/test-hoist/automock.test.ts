import { use } from "./user";
import main, { Thing, list, n, get } from "./dep";
jest.mock("./dep");
test("auto", () => {
  expect(get()).toBeUndefined();
  get.mockReturnValue("set");
  expect(use()).toBe("used set");
  expect(main()).toBeUndefined();
  expect(list).toEqual([]);
  expect(n).toBe(42);
  const t = new Thing();
  expect(t.run()).toBeUndefined();
  expect(Thing.make()).toBeUndefined();
  expect(Thing).toHaveBeenCalledTimes(1);
  expect(t).toBeInstanceOf(Thing);
  expect(jest.requireActual("./dep").get()).toBe("real");
});
