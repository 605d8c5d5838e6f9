// internal/test_expect -- expect(value): the object that has the matchers, .not, .resolves and
// .rejects, and what hangs on the function itself (Bun: docs/test/writing-tests, test.d.ts).
//
//   matchers.js                                  the matchers that come with it
//   kinds.js texts.js throws.js collections.js calls.js snapshots.js   those that come when needed
//   equal.js special.js asymmetric.js message.js
const state = require("internal/test_runner/state");
const { head, makeError, inspect } = require("internal/test_expect/message");
const { counts } = state;

class Expect {
  constructor(value, message, isNot, promise) {
    this.value = value;
    this.label = message;
    this.isNot = isNot;
    this.promise = promise;
  }

  get not() {
    return new Expect(this.value, this.label, !this.isNot, this.promise);
  }

  get resolves() {
    return new Expect(this.value, this.label, this.isNot, "resolves");
  }

  get rejects() {
    return new Expect(this.value, this.label, this.isNot, "rejects");
  }
}
const proto = Expect.prototype;
exports.Expect = Expect;

/** An expectation was made: it counts. */
function note() {
  counts.expects++;
  const running = state.current();
  if (running !== undefined) running.expects++;
}
exports.note = note;

exports.addMatcher = function addMatcher(name, value) {
  Object.defineProperty(proto, name, { value, writable: true, configurable: true });
};

/** Throws what `expect` has to say: its first line, or the label that the test gave, and a text. */
function fail(self, name, signature, text, above) {
  const { label } = self;
  const first = label === undefined ? head(name, signature, self.isNot) : `${label}`;
  throw makeError(text === "" ? first : `${first}\n\n${text}`, above);
}
exports.fail = fail;

function promiseFailure(self, name, signature, text, above) {
  const first = self.label ?? head(name, signature, self.isNot, self.promise);
  return makeError(`${first}\n\n${text}`, above);
}

/** Waits for the promise, then matches what came of it. */
function later(self, name, signature, args, above) {
  const { value, promise } = self;
  const wanted = promise === "resolves";
  let target = value;
  if (typeof target === "function" && !wanted) {
    try {
      target = target(); // vitest: a function that returns the promise
    } catch (error) {
      target = Promise.reject(error);
    }
  }
  if (typeof target?.then !== "function") {
    throw promiseFailure(self, name, signature,
      `Expected promise\nReceived: ${inspect(value)}\n`, above);
  }
  const place = makeError("", above); // where the test called, while the stack is there
  const failWith = (error) => {
    const frames = place.stack.split("\n").slice(1).join("\n");
    error.stack = `${error.stack.split("\n    at ")[0]}\n${frames}`;
    throw error;
  };
  const match = (result) => {
    const inner = new Expect(result, self.label, self.isNot, "");
    inner.isSettled = true;
    inner.isFulfilled = wanted;
    counts.expects--; // it was counted
    const at = state.current();
    if (at !== undefined) at.expects--;
    try {
      return inner[name](...args);
    } catch (error) {
      if (error instanceof Error) failWith(error);
      throw error;
    }
  };
  return Promise.resolve(target).then(
    (result) => {
      if (wanted) return match(result);
      return failWith(promiseFailure(self, name, signature,
        "Expected promise that rejects\nReceived promise that resolved: " +
          "Promise { <resolved> }\n"));
    },
    (error) => {
      if (!wanted) return match(error);
      return failWith(promiseFailure(self, name, signature,
        "Expected promise that resolves\nReceived promise that rejected: " +
          "Promise { <rejected> }\n"));
    },
  );
}
exports.later = later;

/**
 * Adds a matcher.
 * @param {string} name
 * @param {string} signature what stands in the parentheses of the message
 * @param {(value, args, self) => boolean} test throws an Error with a message for wrong use
 * @param {(value, isNot, args) => string} text what follows the first line
 */
exports.define = function define(name, signature, test, text) {
  Object.defineProperty(proto, name, {
    value: { [name](...args) {
      note();
      if (this.promise !== "") return later(this, name, signature, args, this[name]);
      const isSo = test(this.value, args, this);
      if (isSo !== this.isNot) return undefined;
      const shown = typeof signature === "function" ? signature(args) : signature;
      return fail(this, name, shown, text(this.value, this.isNot, args), this[name]);
    } }[name],
    writable: true,
    configurable: true,
  });
};

/** Wrong use of a matcher: no question of .not. */
exports.misuse = function misuse(text) {
  throw makeError(text, undefined);
};

function expect(value, message) {
  return new Expect(value, message, false, "");
}

// ---- On the function ----

const running = (what) => {
  const now = state.current();
  if (now === undefined) throw new Error(`${what} must be called inside a test`);
  return now;
};

expect.assertions = (n) => {
  if (typeof n !== "number" || !Number.isInteger(n) || n < 0) {
    throw new TypeError("Expected value must be a non-negative integer");
  }
  running("expect.assertions()").expected = n;
};
expect.hasAssertions = () => {
  running("expect.hasAssertions()").mustExpect = true;
};
expect.unreachable = (reason) => {
  if (reason instanceof Error) throw reason;
  throw makeError(reason === undefined ? "reached unreachable code" : `${reason}`,
    expect.unreachable);
};
expect.addSnapshotSerializer = (serializer) => {
  const format = require("internal/test_snapshot/format");
  state.serializers ??= { kept: state.file === undefined ? undefined : 0 };
  format.addSerializer(serializer);
  if (state.file === undefined) state.serializers.kept = format.keptSerializers();
};
/** Jest: what [a, b] must satisfy to be equal, before anything else is looked at. */
expect.addEqualityTesters = (testers) => {
  if (!Array.isArray(testers)) {
    throw new TypeError("expect.customEqualityTesters: Must be set to an array of Testers. " +
      `Was given type: "${testers === null ? "null" : typeof testers}"`);
  }
  require("internal/test_expect/equal").addTesters(testers);
};
/** Like expect, but the test goes on: it fails at its end. */
expect.soft = (value, message) => {
  const inner = new Expect(value, message, false, "");
  return softly(inner);
};

function softly(inner) {
  const at = state.current();
  return new Proxy(inner, {
    get(target, key) {
      const member = Reflect.get(target, key, target);
      if (member instanceof Expect) return softly(member);
      if (typeof member !== "function") return member;
      const take = (error) => {
        if (at === undefined) throw error;
        at.fail(error);
      };
      return (...args) => {
        try {
          const result = member.apply(target, args);
          return typeof result?.then === "function" ? result.then(undefined, take) : result;
        } catch (error) {
          return take(error);
        }
      };
    },
  });
}

expect.extend = (matchers) => {
  if (typeof matchers !== "object" || matchers === null) {
    throw new TypeError("expect.extend expects an object");
  }
  require("internal/test_expect/extend").extend(expect, matchers);
};

exports.expect = expect;

// ---- What comes when it is asked for ----

const groups = {
  kinds: "toBeNaN toBeArray toBeBoolean toBeDate toBeValidDate toBeEmptyObject toBeEven toBeOdd " +
    "toBeFinite toBeInteger toBeNegative toBePositive toBeFunction toBeNil toBeNumber toBeString " +
    "toBeSymbol toBeTrue toBeFalse toBeObject toBeTypeOf toBeInstanceOf toBeOneOf toSatisfy pass " +
    "fail toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeWithin " +
    "toBeCloseTo",
  texts: "toMatch toInclude toStartWith toEndWith toIncludeRepeated toEqualIgnoringWhitespace",
  throws: "toThrow toThrowError",
  collections: "toContainEqual toBeArrayOfSize toBeEmpty toHaveProperty toContainKey " +
    "toContainKeys toContainAnyKeys toContainAllKeys toContainValue toContainValues " +
    "toContainAnyValues toContainAllValues",
  calls: "toHaveBeenCalled toBeCalled toHaveBeenCalledTimes toBeCalledTimes toHaveBeenCalledOnce " +
    "toHaveBeenCalledWith toBeCalledWith toHaveBeenLastCalledWith lastCalledWith " +
    "toHaveBeenNthCalledWith nthCalledWith toHaveReturned toReturn toHaveReturnedTimes " +
    "toHaveReturnedWith toHaveLastReturnedWith lastReturnedWith toHaveNthReturnedWith " +
    "nthReturnedWith",
  snapshots: "toMatchSnapshot toMatchInlineSnapshot toThrowErrorMatchingSnapshot " +
    "toThrowErrorMatchingInlineSnapshot",
};
const loaders = {
  kinds: () => require("internal/test_expect/kinds"),
  texts: () => require("internal/test_expect/texts"),
  throws: () => require("internal/test_expect/throws"),
  collections: () => require("internal/test_expect/collections"),
  calls: () => require("internal/test_expect/calls"),
  snapshots: () => require("internal/test_expect/snapshots"),
};

/** A matcher that its group brings when it is first read. */
function defineLazily(name, load) {
  Object.defineProperty(proto, name, {
    get() {
      load();
      return proto[name];
    },
    configurable: true,
  });
}
for (const group of Object.keys(groups)) {
  for (const name of groups[group].split(" ")) defineLazily(name, loaders[group]);
}

const asymmetric = [
  "any", "anything", "closeTo", "objectContaining", "arrayContaining", "stringContaining",
  "stringMatching", "arrayOf", "not", "resolvesTo", "rejectsTo",
];
for (const name of asymmetric) {
  const take = () => {
    for (const one of asymmetric) delete expect[one];
    require("internal/test_expect/asymmetric").install(expect);
  };
  Object.defineProperty(expect, name, {
    get() {
      take();
      return expect[name];
    },
    set(value) {
      take();
      expect[name] = value;
    },
    enumerable: true,
    configurable: true,
  });
}

require("internal/test_expect/matchers");
