// internal/test_expect/snapshots -- matchers that compare with what an earlier run has written.
const { misuse, fail, note, later, addMatcher } = require("internal/test_expect");
const { thrownBy } = require("internal/test_expect/throws");

function addSnapshotMatcher(name, run) {
  const matcher = { [name](...args) {
    note();
    if (this.promise !== "") return later(this, name, "expected", args, matcher);
    if (this.isNot) misuse("Snapshot matchers cannot be used with not");
    const text = run(this, args, matcher);
    return text === undefined ? undefined : fail(this, name, "expected", text, matcher);
  } }[name];
  addMatcher(name, matcher);
}

const store = () => require("internal/test_snapshot");
const isProperties = (v) => typeof v === "object" && v !== null;

function thrownMessage(self) {
  const thrown = thrownBy(self);
  if (thrown === undefined) misuse("Matcher error: Received function did not throw");
  self.thrownError = thrown.error;
  return thrown.error?.message;
}

addSnapshotMatcher("toMatchSnapshot", (self, args) => {
  const [properties, hint] = isProperties(args[0]) ? args : [undefined, args[0]];
  if (properties === undefined && args[1] !== undefined) {
    misuse("Matcher error: Expected properties must be an object");
  }
  return store().match(self.value, properties, hint);
});
addSnapshotMatcher("toThrowErrorMatchingSnapshot", (self, [hint]) =>
  store().match(thrownMessage(self), undefined, hint));
addSnapshotMatcher("toMatchInlineSnapshot", (self, args, matcher) => {
  const [properties, text] = isProperties(args[0]) ? args : [undefined, args[0]];
  return store().matchInline(self.value, properties, text, "toMatchInlineSnapshot", matcher);
});
addSnapshotMatcher("toThrowErrorMatchingInlineSnapshot", (self, [text], matcher) => {
  const name = "toThrowErrorMatchingInlineSnapshot";
  const message = thrownMessage(self);
  return store().matchInline(message, undefined, text, name, matcher, self.thrownError);
});
