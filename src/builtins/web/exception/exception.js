// @global DOMException
// web/exception -- DOMException; see internal/errors/dom_exception.

const { DOMException, cloneData, isDOMException } = require("internal/errors/dom_exception");

exports.DOMException = DOMException;
exports.isDOMException = isDOMException;
exports.cloneData = cloneData;
