test("parts of every kind, and slices", async () => {
  const inner = new Blob(["def"]);
  const blob = new Blob(["abc", inner, new Uint8Array([65]), new Uint16Array([0x4242]).buffer]);
  expect(blob.size).toBe(9);
  expect(await blob.text()).toBe("abcdefABB");
  expect(await blob.slice(2, 7).text()).toBe("cdefA");
  expect(await blob.slice(-3).slice(1).text()).toBe("BB");
  expect(blob.slice(5, 2).size).toBe(0);
});

test("what a reader gets is its own", async () => {
  const blob = new Blob(["abc"]);
  const bytes = await blob.bytes();
  bytes[0] = 0;
  expect(await blob.text()).toBe("abc");
  expect((await blob.arrayBuffer()).byteLength).toBe(3);
});

test("a stream gives all of it", async () => {
  const blob = new Blob(["a".repeat(100000), "b"]);
  let text = "";
  for await (const chunk of blob.stream()) text += new TextDecoder().decode(chunk);
  expect(text.length).toBe(100001);
});

test("files and clones", async () => {
  const file = new File(["x"], "n.txt", { type: "A/B", lastModified: 5 });
  const copy = structuredClone({ file }).file;
  expect([copy.name, copy.type, copy.lastModified, await copy.text()]).toEqual(
    ["n.txt", "a/b", 5, "x"],
  );
  expect(copy instanceof File).toBe(true);
});

test("object URLs", async () => {
  const url = URL.createObjectURL(new Blob(["z"], { type: "a/b" }));
  const response = await fetch(url);
  expect([response.headers.get("content-type"), await response.text()]).toEqual(["a/b", "z"]);
  URL.revokeObjectURL(url);
  await expect(fetch(url)).rejects.toThrow(TypeError);
});
