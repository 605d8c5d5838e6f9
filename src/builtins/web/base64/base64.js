// @global atob btoa
// web/base64 -- atob and btoa (https://html.spec.whatwg.org/#atob).
//
// native: encode(string), decode(string); undefined for what is not Latin-1 or not base64.

const errors = require("internal/errors");

function invalidCharacter() {
  const { DOMException } = require("web/exception");
  return new DOMException("The string contains invalid characters.", "InvalidCharacterError");
}

exports.atob = function atob(data) {
  if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("data");
  const text = native.decode(`${data}`);
  if (text === undefined) throw invalidCharacter();
  return text;
};

exports.btoa = function btoa(data) {
  if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("data");
  const text = native.encode(`${data}`);
  if (text === undefined) throw invalidCharacter();
  return text;
};
