// internal/clock -- JS half: milliseconds since the start of the process.

exports.now = native.now;

/** The wall-clock time of the start, in milliseconds since the epoch. */
exports.timeOrigin = native.origin;
