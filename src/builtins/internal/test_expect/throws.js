// internal/test_expect/throws -- matchers of what functions throw.
const { misuse, note, fail, later, addMatcher } = require("internal/test_expect");
const state = require("internal/test_runner/state");
const { isAsymmetric } = require("internal/test_expect/equal");
const { green, red, inspect, pretty } = require("internal/test_expect/message");

/** An async function has thrown when its promise is rejected by now, as in Bun. */
function rejectionOf(value) {
  if (!(value instanceof Promise)) return undefined;
  const { peek } = require("bun:glob");
  if (peek.status(value) === "pending") state.native?.drain();
  if (peek.status(value) !== "rejected") return undefined;
  value.catch(() => {});
  return { error: peek(value) };
}

/** { error } or undefined. */
function thrownBy(self) {
  const { value } = self;
  // Of a promise that was fulfilled only an error counts as thrown, as in Jest.
  if (self.isSettled && (!self.isFulfilled || value instanceof Error)) return { error: value };
  if (self.isSettled && typeof value !== "function") return undefined;
  if (typeof value !== "function") misuse("Expected value must be a function");
  try {
    self.returned = value();
    return rejectionOf(self.returned);
  } catch (error) {
    if (error instanceof Promise) error.catch(() => {}); // thrown as a value: nobody waits for it
    return { error };
  }
}

const messageOf = (error) =>
  typeof error === "object" && error !== null && "message" in error ? error.message : `${error}`;

function throwsAs({ error }, expected) {
  if (expected === undefined) return true;
  if (isAsymmetric(expected)) return expected.asymmetricMatch(error);
  if (typeof expected === "function") return error instanceof expected;
  const message = messageOf(error);
  if (typeof expected === "string") return `${message}`.includes(expected);
  if (expected instanceof RegExp) return new RegExp(expected).test(`${message}`);
  if (typeof expected === "object" && expected !== null) return message === expected.message;
  return misuse("Expected value must be string or Error");
}

function expectedLine(expected, isNot) {
  const not = isNot ? "not " : "";
  if (isAsymmetric(expected)) return `Expected value: ${not}${green(pretty(expected))}\n`;
  if (typeof expected === "function") {
    return `Expected constructor: ${not}${green(expected.name)}\n`;
  }
  if (typeof expected === "string") {
    return `Expected substring: ${not}${green(inspect(expected))}\n`;
  }
  if (expected instanceof RegExp) return `Expected pattern: ${not}${green(`${expected}`)}\n`;
  return `Expected message: ${not}${green(inspect(expected.message))}\n`;
}

function throwText(self, isNot, expected) {
  const { thrown } = self;
  if (thrown === undefined) {
    const first = expected === undefined ? "" : `${expectedLine(expected, false)}\n`;
    const returned = red(inspect(self.returned));
    return `${first}Received function did not throw\nReceived value: ${returned}\n`;
  }
  const { error } = thrown;
  const message = inspect(`${messageOf(error)}`);
  if (expected === undefined) {
    if (!(error instanceof Error)) return `Thrown value: ${red(inspect(error))}\n`;
    return `Error name: ${red(inspect(error.name))}\nError message: ${red(message)}\n`;
  }
  if (typeof expected === "function" && !isAsymmetric(expected)) {
    const name = error?.constructor?.name ?? typeof error;
    const line = isNot ? "" : `Received constructor: ${red(name)}\n`;
    return `${expectedLine(expected, isNot)}${line}\nReceived message: ${red(message)}\n`;
  }
  const first = expectedLine(expected, isNot);
  if (isAsymmetric(expected)) return `${first}Received value: ${red(inspect(error))}\n`;
  return `${first}Received message: ${red(message)}\n`;
}

for (const name of ["toThrow", "toThrowError"]) {
  const matcher = { [name](expected) {
    note();
    const signature = arguments.length === 0 ? "" : "expected";
    if (this.promise !== "") return later(this, name, signature, [...arguments], matcher);
    this.thrown = thrownBy(this);
    const isSo = this.thrown !== undefined && throwsAs(this.thrown, expected);
    if (isSo !== this.isNot) return undefined;
    return fail(this, name, signature, throwText(this, this.isNot, expected), matcher);
  } }[name];
  addMatcher(name, matcher);
}
exports.thrownBy = thrownBy;
exports.messageOf = messageOf;
