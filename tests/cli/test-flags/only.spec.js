describe("x", () => {
  test("not this", () => {});
  test.only("this", () => {});
  describe.only("and", () => test("these", () => {}));
});
