// @internal
// node:crypto/lazy_transform -- a Transform whose stream parts are made when they are first used:
// most hashes and ciphers are never used as streams.
const { Transform } = require("node:stream");

const { defineProperty } = Object;

function LazyTransform(options) {
  this._options = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

function makeStream(self) {
  Reflect.apply(Transform, self, [self._options]);
  self._writableState.decodeStrings = false;
}

for (let i = 0, all = ["_readableState", "_writableState"]; i < all.length; i++) {
  const name = all[i];
  defineProperty(LazyTransform.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      makeStream(this);
      return this[name];
    },
    set(value) {
      defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

return LazyTransform;
