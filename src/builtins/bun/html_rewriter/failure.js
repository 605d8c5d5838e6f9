// @internal
// bun:html_rewriter/failure -- what HTMLRewriter throws.

exports.failure = function failure(text) {
  const error = new Error(text);
  Object.defineProperty(error, "name", {
    value: "HTMLRewriterError", writable: true, configurable: true,
  });
  return error;
};
