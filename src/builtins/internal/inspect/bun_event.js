// internal/inspect/bun_event -- MessageEvent and ErrorEvent, of which only the payload is shown.

/**
 * @param {object} p The printer.
 * @param {object} event
 * @param {string} name Of its class.
 * @param {string} field "data" or "error".
 */
exports.printEvent = (p, event, name, field) => {
  const { r, d, blue, green, cyan } = p.c;
  const { quoteStrings } = p;
  p.quoteStrings = true;
  p.out += `${r}${cyan}${name}${r} {`;
  p.indent++;
  p.depth++;
  p.newline();
  p.out += `${r}type: ${green}"${event.type}"${r}${d},${r}`;
  if (p.isCompact) p.out += " ";
  const { message } = event;
  if (typeof message === "string") line(p, "message", message);
  line(p, field, event[field]);
  p.depth--;
  p.indent--;
  if (!p.isCompact) p.newline();
  p.out += "}";
  p.quoteStrings = quoteStrings;

  function line(printer, label, value) {
    if (!printer.isCompact) printer.newline();
    printer.out += `${r}${blue}${label}${d}:${r} `;
    printer.value(value);
    printer.comma();
  }
};
