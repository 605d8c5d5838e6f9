// @internal
// node:_http_server/links -- Link headers of early hints.

const errors = require("internal/errors");

const kLink = /^(?:<[^>\r\n]*>)(?:[ \t]*;[ \t]*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;

function check(value, name) {
  if (typeof value !== "string" || !kLink.test(value)) {
    throw new errors.ERR_INVALID_ARG_VALUE(
      name, value, 'must be an array or string of format "</styles.css>; rel=preload; as=style"',
    );
  }
}

exports.validateLinkHeaderValue = function validateLinkHeaderValue(hints) {
  if (typeof hints === "string") {
    check(hints, "hints");
    return hints;
  }
  if (!Array.isArray(hints)) {
    throw new errors.ERR_INVALID_ARG_VALUE(
      "hints", hints, 'must be an array or string of format "</styles.css>; rel=preload; as=style"',
    );
  }
  for (const link of hints) check(link, "hints");
  return hints.join(", ");
};
