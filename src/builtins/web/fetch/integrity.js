// web/fetch/integrity -- Subresource Integrity: does the body have the digest that was asked for?
//
// native: digest(name, bytes) -> base64, or undefined for algorithms that are not allowed

const { kinds } = require("web/fetch/body");
const { makeResponse } = require("web/fetch/response");
const { listOf } = require("web/headers");
const { makeBlob } = require("web/blob");

const kStrength = { __proto__: null, sha256: 1, sha384: 2, sha512: 3 };
const kItem = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/;

/** The strongest of the items, as [algorithm, base64]. */
function strongest(metadata) {
  let best = [];
  let strength = 0;
  for (const word of metadata.split(/[\t\n\f\r ]+/)) {
    const match = kItem.exec(word);
    if (match === null) continue;
    const own = kStrength[match[1]];
    if (own < strength) continue;
    if (own > strength) best = [];
    strength = own;
    best.push([match[1], match[2].replaceAll("-", "+").replaceAll("_", "/")]);
  }
  return best;
}

/** The same response with its body in memory; TypeError when it is not what it should be. */
exports.checkIntegrity = async (response, metadata) => {
  const wanted = strongest(metadata);
  if (wanted.length === 0) return response;
  const data = await response.bytes();
  const strip = (text) => text.replace(/=+$/, "");
  const fits = wanted.some(([name, text]) => strip(native.digest(name, data)) === strip(text));
  if (!fits) throw new TypeError("fetch() response does not have the integrity that was asked for");
  return makeResponse({
    status: response.status, statusText: response.statusText, url: response.url,
    isRedirected: response.redirected, type: response.type, headers: [...listOf(response.headers)],
    kind: kinds.BLOB, value: makeBlob([data], data.byteLength, ""),
  });
};
