// Tests of node:domain: what needs no uncaught exception. (tests/cli/domain has the rest.)
const domain = require("node:domain");
const EventEmitter = require("node:events");

test("run, bind and intercept are inside the domain", () => {
  const d = domain.create();
  expect(domain.active).toBe(null);
  expect(d.run((a, b) => [domain.active === d, process.domain === d, a + b], 1, 2)).toEqual(
    [true, true, 3],
  );
  expect(d.bind(() => domain.active)()).toBe(d);
  const errors = [];
  d.on("error", (error) => errors.push(error));
  const intercept = d.intercept((value) => value);
  expect(intercept(null, 5)).toBe(5);
  const error = new Error("given");
  expect(intercept(error)).toBe(undefined);
  expect(errors).toEqual([error]);
  expect(error.domain).toBe(d);
  expect(error.domainThrown).toBe(false);
  expect(domain.active).toBe(null);
});

test("emitters: errors without a listener are the domain's", () => {
  const d = domain.createDomain();
  const errors = [];
  d.on("error", (error) => errors.push(error.message, error.domainEmitter === emitter));
  const emitter = new EventEmitter();
  d.add(emitter);
  let inside;
  emitter.on("x", () => (inside = domain.active));
  emitter.emit("x");
  expect(inside).toBe(d);
  emitter.emit("error", new Error("emitted"));
  expect(errors).toEqual(["emitted", true]);
  d.remove(emitter);
  expect(() => emitter.emit("error", new Error("free"))).toThrow("free");
});
