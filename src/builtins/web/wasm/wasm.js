// web/wasm -- WebAssembly.compileStreaming and instantiateStreaming (WebAssembly Web API, section
// "Streaming Module Compilation and Instantiation").  The engine compiles whole modules only, so
// the body is read first.
const { isResponse } = require("web/fetch/response");
const { compile, instantiate } = WebAssembly;

const kMime = "application/wasm";

/** The bytes of a Response, or of a promise for one. */
async function bytesOf(source) {
  const response = await source;
  if (!isResponse(response)) {
    throw new TypeError("The source is not a Response or a promise that resolves to one");
  }
  const type = response.headers.get("content-type");
  if (type === null || type.toLowerCase() !== kMime) {
    throw new TypeError(`The Content-Type of the response is "${type ?? ""}", not "${kMime}"`);
  }
  if (!response.ok) {
    throw new TypeError(`The response has the status ${response.status}`);
  }
  return response.arrayBuffer();
}

exports.compileStreaming = async (source) => compile(await bytesOf(source));

exports.instantiateStreaming = async (source, imports) =>
  instantiate(await bytesOf(source), imports);
