// node:stream/consumers -- a whole stream as one value (Node: stream/consumers). A stream is any
// async iterable of bytes or text.

/** Puts together what the stream gives, as bytes. */
async function collect(stream) {
  const { Buffer } = require("node:buffer");
  const chunks = [];
  for await (const chunk of stream) {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
    else if (ArrayBuffer.isView(chunk)) {
      chunks.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    } else if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
      chunks.push(new Uint8Array(chunk));
    } else {
      chunks.push(Buffer.from(String(chunk)));
    }
  }
  return Buffer.concat(chunks);
}

async function text(stream) {
  const decoder = new TextDecoder();
  let all = "";
  for await (const chunk of stream) {
    if (typeof chunk === "string") all += chunk;
    else all += decoder.decode(chunk, { stream: true });
  }
  return all + decoder.decode();
}

/** Bytes in a buffer of their own, without what else the pool holds. */
function ownBytes(buffer) {
  if (buffer.byteLength === buffer.buffer.byteLength) {
    return new Uint8Array(buffer.buffer, 0, buffer.byteLength);
  }
  return new Uint8Array(buffer);
}

exports.arrayBuffer = async function arrayBuffer(stream) {
  return ownBytes(await collect(stream)).buffer;
};

exports.blob = async function blob(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return new Blob(chunks);
};

exports.buffer = async function buffer(stream) {
  return collect(stream);
};

exports.bytes = async function bytes(stream) {
  return ownBytes(await collect(stream));
};

exports.text = text;

exports.json = async function json(stream) {
  return JSON.parse(await text(stream));
};
