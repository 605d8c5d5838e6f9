test("what fails in isolation leaves nothing behind", async () => {
  let inside;
  const fail = () => {
    inside = require("./common");
    throw new Error("in it");
  };
  expect(() => jest.isolateModules(fail)).toThrow("in it");
  const after = require("./common");
  expect(after).not.toBe(inside);
  await expect(jest.isolateModulesAsync(async () => fail())).rejects.toThrow("in it");
  expect(require("./common")).not.toBe(inside);
});
