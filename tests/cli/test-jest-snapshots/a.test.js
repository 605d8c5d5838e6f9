test("lists", () => {
  expect([1, "two"]).toMatchSnapshot();
  expect({ b: () => {}, a: undefined }).toMatchSnapshot();
  if (process.env.MORE) expect(new Set([3])).toMatchSnapshot();
});
test.skip("lists", () => {});
