// Globals are made when they are touched; nobody can tell.
const names = ["console", "process", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate",
  "clearImmediate", "queueMicrotask", "performance", "structuredClone", "TextEncoder", "TextDecoder", "URL",
  "URLSearchParams", "EventTarget", "Event", "AbortController", "AbortSignal", "DOMException", "atob", "btoa",
  "crypto", "Bun", "Cob", "global", "globalThis"];

for (const name of names) {
  test(`${name} exists and is an ordinary property once it was read`, () => {
    expect(name in globalThis).toBe(true);
    expect(globalThis[name]).toBeDefined();
    const property = Object.getOwnPropertyDescriptor(globalThis, name);
    expect(property.value).toBe(globalThis[name]);
    expect(property.configurable).toBe(true);
    expect(property.writable).toBe(true);
  });
}

test("what is enumerable is so in Bun", () => {
  for (const [name, isEnumerable] of [["URL", false], ["console", false], ["Event", true], ["process", true]]) {
    expect(Object.getOwnPropertyDescriptor(globalThis, name).enumerable).toBe(isEnumerable);
  }
});

test("global is globalThis; Bun is Cob", () => {
  expect(global).toBe(globalThis);
  expect(Bun).toBe(Cob);
  expect(require("bun")).toBe(Bun);
});

test("a global can be replaced before it was read", () => {
  globalThis.MessageEvent = "replaced";
  expect(MessageEvent).toBe("replaced");
});

test("a global can be deleted and defined anew", () => {
  expect(delete globalThis.CloseEvent).toBe(true);
  expect(typeof CloseEvent).toBe("undefined");
  Object.defineProperty(globalThis, "CloseEvent", { value: 5, configurable: true });
  expect(CloseEvent).toBe(5);
});

test("typeof of what is not there", () => {
  expect(typeof NoSuchGlobal).toBe("undefined");
  expect(typeof window).toBe("undefined");
});

test("nothing of ours leaks into the global object", () => {
  const odd = Object.getOwnPropertyNames(globalThis).filter((name) => /cob|native|internal|builtin/i.test(name));
  expect(odd.filter((name) => name !== "Cob" && name !== "cobInternal")).toEqual([]);
});
