// @internal
// bun:archive/tar -- writing tar archives: ustar, with a pax header where a name does not fit.
const BLOCK = 512;
const RECORD = 20 * BLOCK;
const NAME_MAX = 100;

/** Where a name can be cut so that both halves fit: its prefix's length, or -1. */
function cutOf(bytes) {
  if (bytes.length <= NAME_MAX) return 0;
  for (let at = Math.min(155, bytes.length - 1); at > 0; at--) {
    if (bytes[at] === 47 && bytes.length - at - 1 <= NAME_MAX && at < bytes.length - 1) return at;
  }
  return -1;
}

function octal(block, at, width, value) {
  block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
}

/** One header; `name` is bytes that fit. */
function header(name, cut, size, type, time) {
  const block = Buffer.alloc(BLOCK);
  if (cut > 0) name.copy(block, 345, 0, cut);
  name.copy(block, 0, cut === 0 ? 0 : cut + 1);
  octal(block, 100, 8, type === "5" ? 0o755 : 0o644);
  octal(block, 108, 8, 0);
  octal(block, 116, 8, 0);
  octal(block, 124, 12, size);
  octal(block, 136, 12, time);
  block.write("        ", 148, "latin1");
  block.write(type, 156, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

const paddingOf = (size) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** "30 path=...\n": the number counts itself. */
function paxRecord(key, value) {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let n = rest.length + 1;
  while (`${n}`.length + rest.length !== n) n = `${n}`.length + rest.length;
  return Buffer.concat([Buffer.from(`${n}`), rest]);
}

/** The archive of [[name, bytes], ...] as one Buffer. */
exports.pack = function pack(entries) {
  const pieces = [];
  const time = Math.floor(Date.now() / 1000);
  for (const [name, bytes] of entries) {
    const isFolder = name.endsWith("/") && bytes.length === 0;
    let raw = Buffer.from(name);
    let cut = cutOf(raw);
    if (cut < 0 || /[^\x20-\x7e]/.test(name)) {
      const record = paxRecord("path", name);
      const own = Buffer.from("PaxHeader/entry");
      pieces.push(header(own, 0, record.length, "x", time), record, paddingOf(record.length));
      if (cut < 0) {
        raw = raw.subarray(0, NAME_MAX);
        cut = 0;
      }
    }
    pieces.push(header(raw, cut, bytes.length, isFolder ? "5" : "0", time));
    pieces.push(bytes, paddingOf(bytes.length));
  }
  pieces.push(Buffer.alloc(2 * BLOCK));
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  pieces.push(Buffer.alloc((RECORD - (size % RECORD)) % RECORD));
  return Buffer.concat(pieces);
};
