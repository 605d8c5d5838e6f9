function nameOf(fn) {
  try {
    fn();
  } catch (err) {
    return err.name;
  }
  return "nothing thrown";
}

test("btoa", () => {
  expect(btoa("")).toBe("");
  expect(btoa("a\xff")).toBe("Yf8=");
  expect(btoa(null)).toBe("bnVsbA==");
  expect(nameOf(() => btoa("\u0100"))).toBe("InvalidCharacterError");
  expect(nameOf(() => btoa())).toBe("TypeError");
  expect(nameOf(() => btoa(Symbol()))).toBe("TypeError");
});

test("atob", () => {
  expect(atob(" Y f 8 =\n")).toBe("a\xff");
  expect(atob("YQ")).toBe("a");
  for (const bad of ["Y", "YQ=", "YQ===", "*", "\u0159", "ab=c", "A=="]) {
    expect(nameOf(() => atob(bad))).toBe("InvalidCharacterError");
  }
  expect(nameOf(() => atob())).toBe("TypeError");
  expect([atob.length, btoa.length, atob.name]).toEqual([1, 1, "atob"]);
});

test("both ways, for every byte and length", () => {
  let text = "";
  for (let i = 0; i < 600; i++) {
    text += String.fromCharCode((i * 7) & 255);
    expect(atob(btoa(text))).toBe(text);
  }
});
