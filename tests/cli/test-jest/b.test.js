test("serializers and testers of another file are gone", () => {
  expect({ money: 1 }).toMatchInlineSnapshot(`
{
  "money": 1,
}
`);
});
