// web/fetch/verbose -- what fetch() prints on standard error with `verbose: true`.

function print(lines) {
  process.stderr.write(`${lines.join("\n")}\n\n`);
}

function headerLines(mark, headers) {
  const lines = [];
  for (let i = 0; i < headers.length; i += 2) {
    lines.push(`[fetch] ${mark} ${headers[i]}: ${headers[i + 1]}`);
  }
  return lines;
}

exports.printRequest = ({ method, url }, headers) => {
  print([`[fetch] > HTTP/1.1 ${method} ${url}`, ...headerLines(">", headers)]);
};

exports.printResponse = (status, statusText, headers) => {
  print([`[fetch] < ${status} ${statusText}`, ...headerLines("<", headers)]);
};
