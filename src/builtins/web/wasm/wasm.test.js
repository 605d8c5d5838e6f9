const kEmpty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const headers = { "Content-Type": "application/wasm" };

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return "no error";
}

describe("WebAssembly streaming", () => {
  test("a response or a promise for one", async () => {
    const module = await WebAssembly.compileStreaming(new Response(kEmpty, { headers }));
    expect(module instanceof WebAssembly.Module).toBe(true);
    const source = Promise.resolve(new Response(kEmpty, { headers }));
    const made = await WebAssembly.instantiateStreaming(source, {});
    expect(made.instance instanceof WebAssembly.Instance).toBe(true);
    expect(Object.keys(made).sort()).toEqual(["instance", "module"]);
  });

  test("what is refused", async () => {
    for (const method of ["compileStreaming", "instantiateStreaming"]) {
      const run = (...args) => errorOf(WebAssembly[method](...args));
      expect(await run()).toMatch(/^TypeError: The source is not a Response/);
      expect(await run(new Response(kEmpty))).toMatch(/^TypeError: The Content-Type .* ""/);
      const typed = { "Content-Type": "application/wasm;charset=utf-8" };
      expect(await run(new Response(kEmpty, { headers: typed }))).toMatch(/charset=utf-8/);
      expect(await run(new Response(kEmpty, { headers, status: 404 }))).toMatch(/404/);
      expect(await run(new Response("", { headers }))).toMatch(/^CompileError/);
      const used = new Response(kEmpty, { headers });
      await used.arrayBuffer();
      expect(await run(used)).toMatch(/^TypeError/);
      const reason = new RangeError("mine");
      expect(await run(Promise.reject(reason))).toBe("RangeError: mine");
    }
  });

  test("they are ordinary properties", () => {
    const { value, ...rest } = Object.getOwnPropertyDescriptor(WebAssembly, "compileStreaming");
    expect(rest).toEqual({ writable: true, enumerable: true, configurable: true });
    expect(value.name).toBe("compileStreaming");
  });
});
