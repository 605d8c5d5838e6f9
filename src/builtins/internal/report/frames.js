// internal/report/frames -- where an error came from: its stack, and the source lines around the
// frame that belongs to the program.
//
// native: sourceLines(url, line, count) -> string[] | undefined, the last one is `line`; cwd() ->
// string
const LINES = 6;

const isOurs = (file) =>
  /^(?:node|bun|cob):|^(?:internal|web)\//.test(file) || file === "native" || file === "";

/**
 * @param {Error} error
 * @param {(error: Error) => {name: string, file: string, line: number, column: number}[]}
 * framesOfStack
 */
exports.locate = function locate(error, framesOfStack) {
  const frames = framesOfStack(error);
  const cwd = native.cwd();
  const first = frames.find((frame) => frame.line > 0 && !isOurs(frame.file));
  if (first === undefined) return { frames, cwd };
  const source = native.sourceLines(first.file, first.line, LINES);
  if (source === undefined) return { frames, cwd };
  return { frames, source, line: first.line, column: first.column, cwd };
};

/** A line of a source that was run; undefined when it is not known. */
exports.sourceLine = (file, line) =>
  line > 0 ? native.sourceLines(file, line, 1)?.[0] : undefined;
