// @internal
// bun:hash -- Bun.hash: Wyhash, and other functions by name.
//
// native: hash32(kind, data, seed) -> number; hash64(kind, data, seed | undefined) -> bigint
function dataOf(data) {
  if (typeof data === "string" || ArrayBuffer.isView(data)) return data;
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  if (data === undefined) return "";
  return `${data}`;
}

function seed64(seed) {
  if (seed === undefined || seed === null) return undefined;
  return BigInt.asIntN(64, typeof seed === "bigint" ? seed : BigInt(Math.trunc(Number(seed)) || 0));
}

const seed32 = (seed) => Number(BigInt.asIntN(32, seed64(seed) ?? 0n));

const make32 = (name, kind) =>
  ({ [name]: (data, seed) => native.hash32(kind, dataOf(data), seed32(seed)) })[name];
const make64 = (name, kind) =>
  ({ [name]: (data, seed) => native.hash64(kind, dataOf(data), seed64(seed)) })[name];

function hash(data, seed) {
  return native.hash64(0, dataOf(data), seed64(seed));
}

["adler32", "crc32", "cityHash32", "xxHash32", "murmur32v2", "murmur32v3"].forEach((name, kind) => {
  hash[name] = make32(name, kind);
});
["wyhash", "cityHash64", "xxHash64", "murmur64v2", "rapidhash", "xxHash3"].forEach((name, kind) => {
  hash[name] = make64(name, kind);
});

exports.hash = hash;
