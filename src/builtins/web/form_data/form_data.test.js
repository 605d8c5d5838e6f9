test("multipart goes out and comes back", async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("quote\"\r\n", "two\nlines");
  form.append("f", new File(["\x00binary"], "n.bin", { type: "a/b" }));
  form.append("a", "2");
  const back = await new Response(form).formData();
  expect([...back.keys()]).toEqual(["a", "quote\"\r\n", "f", "a"]);
  expect(back.getAll("a")).toEqual(["1", "2"]);
  expect(back.get("quote\"\r\n")).toBe("two\r\nlines");
  const file = back.get("f");
  expect([file.name, file.type, await file.text()]).toEqual(["n.bin", "a/b", "\x00binary"]);
});

const parse = (text, boundary = "x") => new Response(text, {
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
}).formData();

test("what is no multipart is refused", async () => {
  const head = 'Content-Disposition: form-data; name="a"\r\n\r\n';
  const bad = [
    "", "--x", "--x\r\n", `--x\r\n${head}`, `--x\r\n${head}v\r\n`, `--x\r\n${head}v\r\n--y--`,
    "--x\r\nno colon\r\n\r\nv\r\n--x--", "--x\r\nA: b\r\n\r\nv\r\n--x--",
    `--x\r\nContent-Disposition: form-data; name="${"a".repeat(10000)}"\r\n\r\nv\r\n--x--`,
  ];
  for (const text of bad) {
    await expect(parse(text)).rejects.toThrow(TypeError);
  }
});

test("dashes in contents, empty parts, a preamble", async () => {
  const form = await parse(
    'pre\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n--xy\r\n-\r\n--x \r\n' +
      "content-disposition: form-data; name=b; filename=\"\"\r\n\r\n\r\n--x--\r\npost",
  );
  expect(form.get("a")).toBe("--xy\r\n-");
  expect([form.get("b").name, form.get("b").size]).toEqual(["", 0]);
});

test("urlencoded", async () => {
  const response = new Response(new URLSearchParams({ a: "1 2", b: "\u00e9" }));
  expect([...(await response.formData())]).toEqual([["a", "1 2"], ["b", "\u00e9"]]);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const marked = new Response("\ufeffa=\ufeff", { headers });
  expect([...(await marked.formData())]).toEqual([["\ufeffa", "\ufeff"]]);
});
