// web/streams/byte_classes -- ReadableByteStreamController and ReadableStreamBYOBRequest.
const { invalidState, invalidThis, toCount, typeError } = require("web/streams/checks");
const { READABLE } = require("web/streams/core");
const { isDetached } = require("web/streams/byte_controller");
const { defineInterface } = require("internal/webidl/interface");

const kMake = Symbol("make");

function checkToken(token) {
  if (token === kMake) return;
  const { ERR_ILLEGAL_CONSTRUCTOR } = require("internal/errors");
  throw new ERR_ILLEGAL_CONSTRUCTOR();
}

/** A view that has memory of its own, as IDL's ArrayBufferView wants it. */
function checkView(view, name) {
  if (!ArrayBuffer.isView(view)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE(name, ["Buffer", "TypedArray", "DataView"], view);
  }
  if (view.buffer instanceof SharedArrayBuffer) {
    throw typeError(`${name} must not be shared`, "ERR_INVALID_STATE");
  }
}

class ReadableByteStreamController {
  #state;

  constructor(token = undefined, state = undefined) {
    checkToken(token);
    this.#state = state;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw invalidThis("ReadableByteStreamController");
    }
    return value.#state;
  }

  get byobRequest() {
    const state = ReadableByteStreamController.#of(this);
    if (state.byobRequest === null && state.pendingPullIntos.length > 0) {
      const first = state.pendingPullIntos[0];
      const view = new Uint8Array(
        first.buffer, first.byteOffset + first.filled, first.byteLength - first.filled,
      );
      state.byobRequest = new RequestState(state, view);
    }
    return state.byobRequest === null ? null : state.byobRequest.request;
  }

  get desiredSize() {
    return ReadableByteStreamController.#of(this).desiredSize();
  }

  close() {
    const state = ReadableByteStreamController.#of(this);
    if (state.isCloseRequested || state.rs.state !== READABLE) {
      throw invalidState("Controller is already closed");
    }
    state.close();
  }

  enqueue(chunk) {
    const state = ReadableByteStreamController.#of(this);
    checkView(chunk, "chunk");
    if (chunk.byteLength === 0) throw invalidState("chunk must not be empty");
    if (chunk.buffer.byteLength === 0) throw invalidState("chunk's buffer must not be empty");
    if (state.isCloseRequested || state.rs.state !== READABLE) {
      throw invalidState("Controller is already closed");
    }
    state.enqueue(chunk);
  }

  error(error = undefined) {
    ReadableByteStreamController.#of(this).error(error);
  }
}

/** What is behind a BYOB request. */
class RequestState {
  constructor(controller, view) {
    this.controller = controller;
    this.view = view;
    this.request = new ReadableStreamBYOBRequest(kMake, this);
  }

  invalidate() {
    this.controller = null;
    this.view = null;
  }
}

class ReadableStreamBYOBRequest {
  #state;

  constructor(token = undefined, state = undefined) {
    checkToken(token);
    this.#state = state;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw invalidThis("ReadableStreamBYOBRequest");
    }
    return value.#state;
  }

  get view() {
    return ReadableStreamBYOBRequest.#of(this).view;
  }

  respond(bytesWritten) {
    const { controller, view } = ReadableStreamBYOBRequest.#of(this);
    if (arguments.length === 0) {
      const { ERR_MISSING_ARGS } = require("internal/errors");
      throw new ERR_MISSING_ARGS("bytesWritten");
    }
    const n = toCount(bytesWritten, "bytesWritten");
    if (controller === null) throw invalidState("This BYOB request has been invalidated");
    if (isDetached(view.buffer)) throw invalidState("The BYOB request's buffer is detached");
    controller.respond(n);
  }

  respondWithNewView(view) {
    const { controller } = ReadableStreamBYOBRequest.#of(this);
    checkView(view, "view");
    if (controller === null) throw invalidState("This BYOB request has been invalidated");
    if (isDetached(view.buffer)) throw invalidState("The view's buffer is detached");
    controller.respondWithNewView(view);
  }
}

defineInterface(ReadableByteStreamController);
defineInterface(ReadableStreamBYOBRequest);

Object.assign(exports, { ReadableByteStreamController, ReadableStreamBYOBRequest, checkView });
exports.makeController = (state) => new ReadableByteStreamController(kMake, state);
