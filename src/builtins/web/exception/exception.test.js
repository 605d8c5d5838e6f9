test("name, message and code", () => {
  const err = new DOMException("text", "AbortError");
  expect([err.name, err.message, err.code]).toEqual(["AbortError", "text", 20]);
  expect(String(err)).toBe("AbortError: text");
  expect(err instanceof Error).toBe(true);
  expect(Object.prototype.toString.call(err)).toBe("[object DOMException]");
  const plain = new DOMException();
  expect([plain.name, plain.message, plain.code]).toEqual(["Error", "", 0]);
  expect(new DOMException("x", "NoSuchName").code).toBe(0);
  expect(new DOMException("x", "toString").code).toBe(0);
  expect(typeof err.stack).toBe("string");
  expect(Object.keys(err)).toEqual([]);
});

test("options: name and cause", () => {
  const err = new DOMException("m", { name: "DataCloneError", cause: 7 });
  expect([err.name, err.code, err.cause]).toEqual(["DataCloneError", 25, 7]);
  expect("cause" in new DOMException("m", {})).toBe(false);
});

test("the shape of the interface", () => {
  expect(DOMException.length).toBe(0);
  expect(DOMException.QUOTA_EXCEEDED_ERR).toBe(22);
  expect(DOMException.prototype.DATA_CLONE_ERR).toBe(25);
  const desc = Object.getOwnPropertyDescriptor(DOMException, "ABORT_ERR");
  expect(desc).toEqual({ value: 20, writable: false, enumerable: true, configurable: false });
  const keys = Reflect.ownKeys(DOMException.prototype).map(String).slice(0, 5);
  expect(keys).toEqual(["constructor", "name", "message", "code", "INDEX_SIZE_ERR"]);
  expect(Object.getPrototypeOf(DOMException)).toBe(Function.prototype);
  expect(() => DOMException("x")).toThrow(TypeError);
});

test("attributes check their receiver", () => {
  const { get } = Object.getOwnPropertyDescriptor(DOMException.prototype, "code");
  for (const receiver of [{}, null, 1, new Error("x"), DOMException.prototype]) {
    let err;
    try {
      get.call(receiver);
    } catch (e) {
      err = e;
    }
    expect(err.code).toBe("ERR_INVALID_THIS");
  }
});

test("subclasses", () => {
  class Mine extends DOMException {}
  const err = new Mine("m", "SyntaxError");
  expect(err instanceof Mine).toBe(true);
  expect(err.code).toBe(12);
});
