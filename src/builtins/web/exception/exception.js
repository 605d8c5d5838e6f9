// @global DOMException
// web/exception -- DOMException; see internal/errors/dom_exception.

const { DOMException, cloneParts, isDOMException } = require("internal/errors/dom_exception");

exports.DOMException = DOMException;
exports.isDOMException = isDOMException;
exports.cloneParts = cloneParts;
