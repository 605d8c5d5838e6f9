const fs = require("node:fs");
const { mkdtempSync, rmSync, readFileSync } = fs;

const dir = mkdtempSync("/tmp/cob-file-");
const code = (promise) => promise.then(() => "fine", (error) => error.code);

test("files are written from everything", async () => {
  expect(await Bun.write(`${dir}/a/b.txt`, "h\u00e9llo")).toBe(6);
  const file = Bun.file(`${dir}/a/b.txt`);
  expect([file.size, file.type, await file.exists(), file instanceof Blob]).toEqual(
    [6, "text/plain;charset=utf-8", true, true],
  );
  expect(await file.text()).toBe("h\u00e9llo");
  expect(await file.slice(-3).text()).toBe("llo");
  expect(await Bun.write(`${dir}/copy`, file)).toBe(6);
  expect(await Bun.write(`${dir}/response`, new Response("abc"))).toBe(3);
  expect(await Bun.write(`${dir}/stream`, new Response(file.stream()))).toBe(6);
  expect(await Bun.write(`${dir}/blob`, new Blob(["<", file, ">"]))).toBe(8);
  expect(readFileSync(`${dir}/blob`, "utf8")).toBe("<h\u00e9llo>");
  expect(await code(Bun.write(`${dir}/no/x`, "x", { createPath: false }))).toBe("ENOENT");
});

test("what is not there", async () => {
  const file = Bun.file(`${dir}/none`);
  expect([file.size, await file.exists()]).toEqual([0, false]);
  expect(await code(file.text())).toBe("ENOENT");
  expect(await code(file.stream().getReader().read())).toBe("ENOENT");
  expect(await code(file.delete())).toBe("ENOENT");
  expect(await code(Bun.file(dir).text())).toBe("EISDIR");
});

test("large files in pieces", async () => {
  await Bun.write(`${dir}/big`, new Uint8Array(1000000).fill(7));
  let n = 0;
  for await (const chunk of Bun.file(`${dir}/big`).stream()) n += chunk.length;
  expect(n).toBe(1000000);
  expect((await Bun.file(`${dir}/big`).slice(10, 20).bytes()).length).toBe(10);
});

test("a writer gives away what it has when the turn is over", async () => {
  const path = `${dir}/turn`;
  const writer = Bun.file(path).writer();
  writer.write("abc");
  const size = () => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  for (let i = 0; i < 2000 && size() === 0; i++) await Bun.sleep(1);
  expect(size()).toBe(3);
  await writer.end();
});

test("a writer keeps the order", async () => {
  const writer = Bun.file(`${dir}/w`).writer({ highWaterMark: 8 });
  let text = "";
  for (let i = 0; i < 100; i++) {
    text += `${i},`;
    writer.write(`${i},`);
  }
  await writer.flush();
  await writer.end();
  expect(await Bun.file(`${dir}/w`).text()).toBe(text);
});

test("the folder goes", () => rmSync(dir, { recursive: true }));
