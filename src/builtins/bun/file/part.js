// @internal
// bun:file/part -- a range of a file as a part of a Blob (see web/blob).

const { call } = require("node:fs/run");
const binding = require("node:fs/binding");

const O_RDONLY = 0;
const CHUNK = 262144;
const SMALL_MAX = 65536;
const STAT_FIELDS_SIZE = 8;
const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const kMode = 1;

let fields;

/** { size, isRegular } now, or null when there is no such file. */
function statNow(target) {
  fields ??= binding.statFields();
  try {
    const isThere = typeof target === "number"
      ? binding.statNow(2, target) : binding.statNow(0, target, true);
    if (isThere === false) return null;
  } catch {
    return null;
  }
  const mode = fields[kMode];
  return { size: fields[STAT_FIELDS_SIZE], isRegular: (mode & S_IFMT) === S_IFREG };
}

class FilePart {
  /** The path, or undefined for a descriptor. */
  path;
  fd;
  start;
  end;

  constructor(target, start = 0, end = Infinity) {
    if (typeof target === "number") this.fd = target;
    else this.path = target;
    this.start = start;
    this.end = end;
  }

  get target() {
    return this.path ?? this.fd;
  }

  /** Bytes that it has now; Infinity when that is not known. */
  get size() {
    const stat = statNow(this.target);
    if (stat === null) return 0;
    if (this.path === undefined && !stat.isRegular) return Infinity;
    return Math.max(Math.min(this.end, stat.size) - this.start, 0);
  }

  slice(start, end) {
    return new FilePart(this.target, this.start + start, Math.min(this.start + end, this.end));
  }

  async read() {
    if (this.start === 0 && this.end === Infinity) {
      if (this.path !== undefined) {
        // Of a small file: sooner done than handed to another thread.
        const stat = statNow(this.path);
        if (stat !== null && stat.isRegular && stat.size > 0 && stat.size <= SMALL_MAX) {
          return binding.readFile(undefined, this.path, O_RDONLY, false);
        }
      }
      return call("readFile", [this.target, O_RDONLY, false]);
    }
    const file = new FileReader(this);
    const chunks = [];
    let total = 0;
    try {
      for (let chunk = await file.next(); chunk !== null; chunk = await file.next()) {
        chunks.push(chunk);
        total += chunk.byteLength;
      }
    } finally {
      file.close();
    }
    return chunks.length === 1 ? chunks[0] : require("web/blob/bytes").concat(chunks, total);
  }

  stream(chunkSize = undefined) {
    const { makeReadable } = require("web/streams/source");
    return makeReadable(new FileSource(this, chunkSize), { highWaterMark: 0 });
  }
}

/** Reads a part chunk by chunk. */
class FileReader {
  constructor(part, chunkSize = CHUNK) {
    this.part = part;
    this.chunkSize = chunkSize;
    this.fd = part.fd ?? -1;
    this.at = part.start;
    // The position of what was opened by somebody else is theirs, unless a part is asked for.
    this.isPositional = part.fd === undefined || part.start > 0 || part.end !== Infinity;
    this.isBusy = false;
    this.isClosed = false;
  }

  /** The next bytes, or null at the end. */
  async next() {
    const { part } = this;
    const size = Math.min(this.chunkSize, part.end - this.at);
    if (size <= 0 || this.isClosed) return null;
    this.isBusy = true;
    try {
      if (this.fd < 0) {
        this.fd = await call("open", [part.path, O_RDONLY, 0]);
        if (this.isClosed) return null;
      }
      const buffer = new Uint8Array(size);
      const at = this.isPositional ? this.at : -1;
      const n = await call("read", [this.fd, buffer, 0, size, at]);
      this.at += n;
      if (n === 0) return null;
      return n === size ? buffer : n < size / 2 ? buffer.slice(0, n) : buffer.subarray(0, n);
    } finally {
      this.isBusy = false;
      if (this.isClosed) this.close();
    }
  }

  close() {
    this.isClosed = true;
    if (this.isBusy || this.fd < 0 || this.part.fd !== undefined) return;
    const { fd } = this;
    this.fd = -1;
    binding.close(() => {}, fd);
  }
}

/** A source of web/streams/source. */
class FileSource {
  constructor(part, chunkSize) {
    this.part = part;
    this.reader = new FileReader(part, chunkSize);
  }

  async pull(sink) {
    try {
      const chunk = await this.reader.next();
      if (chunk !== null) {
        sink.push(chunk);
        return;
      }
      this.reader.close();
      sink.close();
    } catch (error) {
      this.reader.close();
      sink.error(error);
    }
  }

  cancel() {
    this.reader.close();
  }

  takeAll() {
    return this.part.read();
  }
}

exports.FilePart = FilePart;
exports.FileReader = FileReader;
exports.statNow = statNow;
