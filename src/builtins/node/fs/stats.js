// @internal
// node:fs/stats -- Stats, StatFs and Dirent.
const { DirentType, S } = {
  DirentType: ["Unknown", "File", "Directory", "SymbolicLink", "FIFO", "Socket",
    "CharacterDevice", "BlockDevice"],
  S: { MT: 0o170000, FIFO: 0o010000, CHR: 0o020000, DIR: 0o040000, BLK: 0o060000, REG: 0o100000,
    LNK: 0o120000, SOCK: 0o140000 },
};

class StatsBase {
  isDirectory() { return hasType(this, S.DIR); }
  isFile() { return hasType(this, S.REG); }
  isBlockDevice() { return hasType(this, S.BLK); }
  isCharacterDevice() { return hasType(this, S.CHR); }
  isSymbolicLink() { return hasType(this, S.LNK); }
  isFIFO() { return hasType(this, S.FIFO); }
  isSocket() { return hasType(this, S.SOCK); }
}

function hasType(stats, type) {
  return (Number(stats.mode) & S.MT) === type;
}

function setFields(stats, v) {
  stats.dev = v[0];
  stats.ino = v[7];
  stats.mode = v[1];
  stats.nlink = v[2];
  stats.uid = v[3];
  stats.gid = v[4];
  stats.rdev = v[5];
  stats.size = v[8];
  stats.blksize = v[6];
  stats.blocks = v[9];
}

/** The class that programs see; calling it makes one from its fourteen fields, as in Node. */
function Stats(...fields) {
  if (!new.target) return Reflect.construct(Stats, fields);
  setFields(this, fields);
  this.atimeMs = fields[10];
  this.mtimeMs = fields[11];
  this.ctimeMs = fields[12];
  this.birthtimeMs = fields[13];
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);

class BigIntStats extends StatsBase {
  constructor(v) {
    super();
    setFields(this, v);
    const at = [10, 12, 14, 16].map((i) => v[i] * 1000000000n + v[i + 1]);
    this.atimeMs = at[0] / 1000000n;
    this.mtimeMs = at[1] / 1000000n;
    this.ctimeMs = at[2] / 1000000n;
    this.birthtimeMs = at[3] / 1000000n;
    this.atimeNs = at[0];
    this.mtimeNs = at[1];
    this.ctimeNs = at[2];
    this.birthtimeNs = at[3];
  }
}

/** atime and the like are made from atimeMs when they are looked at. */
function defineDates(proto) {
  for (let i = 0, all = ["atime", "mtime", "ctime", "birthtime"]; i < all.length; i++) {
    const name = all[i];
    Object.defineProperty(proto, name, {
      get() {
        const value = new Date(Math.round(Number(this[`${name}Ms`])));
        this[name] = value;
        return value;
      },
      set(value) {
        Object.defineProperty(this, name, {
          value, writable: true, enumerable: true, configurable: true,
        });
      },
      enumerable: true,
      configurable: true,
    });
  }
}
defineDates(Stats.prototype);
defineDates(BigIntStats.prototype);

/** From the list that the binding gives. */
function makeStats(v) {
  if (v === undefined) return undefined;
  if (typeof v[0] === "bigint") return new BigIntStats(v);
  return new Stats(
    v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9],
    v[10] * 1000 + v[11] / 1e6,
    v[12] * 1000 + v[13] / 1e6,
    v[14] * 1000 + v[15] / 1e6,
    v[16] * 1000 + v[17] / 1e6,
  );
}

let fields;

/** stat, lstat or fstat (0, 1, 2) now, without a list in between. */
function statNow(kind, where, isMissingOk) {
  const binding = require("node:fs/binding");
  fields ??= binding.statFields();
  return binding.statNow(kind, where, isMissingOk) ? makeStats(fields) : undefined;
}

class StatFs {
  constructor(v) {
    this.type = v[0];
    this.bsize = v[1];
    this.blocks = v[2];
    this.bfree = v[3];
    this.bavail = v[4];
    this.files = v[5];
    this.ffree = v[6];
  }
}

const kType = Symbol("type");

class Dirent {
  constructor(name, path, type) {
    this.name = name;
    this.path = path;
    this.parentPath = path;
    Object.defineProperty(this, kType, { value: type, writable: true, configurable: true });
  }
}
for (let i = 1; i < DirentType.length; i++) {
  const name = `is${DirentType[i]}`;
  Object.defineProperty(Dirent.prototype, name, {
    value: { [name]() { return this[kType] === i; } }[name],
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

exports.Stats = Stats;
exports.BigIntStats = BigIntStats;
exports.makeStats = makeStats;
exports.statNow = statNow;
exports.StatFs = StatFs;
exports.Dirent = Dirent;
exports.kDirectory = 2;
exports.typeOf = (dirent) => dirent[kType];
