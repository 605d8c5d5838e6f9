// Output of Bun 1.4.5 for instances of classes of the web: plain, coloured, compact, sorted.
const { bunInspect } = cobInternal("internal/inspect");

const cases = [
  [() => (new URLSearchParams("a=1&a=2&b=x%22y")), [
    "URLSearchParams {\n  \"a\": [ \"1\", \"2\" ],\n  \"b\": \"x\\\"y\",\n}",
    "URLSearchParams {\n  \u001b[0m\u001b[32m\"a\"\u001b[0m\u001b[2m:\u001b[0m [ \u001b[0m\u001b[32m\"1\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m \u001b[0m\u001b[32m\"2\"\u001b[0m\u001b[0m ]\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0m\u001b[32m\"b\"\u001b[0m\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"x\\\"y\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "URLSearchParams { \"a\": [ \"1\", \"2\" ], \"b\": \"x\\\"y\" }",
    "URLSearchParams {\n  \"a\": [\n    \"1\",\n    \"2\"\n  ],\n  \"b\": \"x\\\"y\",\n}",
  ]],
  [() => (new URLSearchParams()), [
    "URLSearchParams {}",
    "URLSearchParams {}",
    "URLSearchParams {}",
    "URLSearchParams {}",
  ]],
  [() => ([new URLSearchParams("a=1")]), [
    "[\n  URLSearchParams {\n    \"a\": \"1\",\n  }\n]",
    "[\n  URLSearchParams {\n    \u001b[0m\u001b[32m\"a\"\u001b[0m\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"1\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  }\n]",
    "[ URLSearchParams { \"a\": \"1\" } ]",
    "[\n  URLSearchParams {\n    \"a\": \"1\",\n  }\n]",
  ]],
  [() => ({ a: new URLSearchParams("x") }), [
    "{\n  a: URLSearchParams {\n    \"x\": \"\",\n  },\n}",
    "{\n  \u001b[0ma\u001b[2m:\u001b[0m URLSearchParams {\n    \u001b[0m\u001b[32m\"x\"\u001b[0m\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\"\"\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ a: URLSearchParams { \"x\": \"\" } }",
    "{\n  a: URLSearchParams {\n    \"x\": \"\",\n  },\n}",
  ]],
  [() => ({ a: { b: { c: new URLSearchParams("x"), d: new Event("x"), e: new AbortController() } } }), [
    "{\n  a: {\n    b: {\n      c: [URLSearchParams ...],\n      d: [Event ...],\n      e: [AbortController ...],\n    },\n  },\n}",
    "{\n  \u001b[0ma\u001b[2m:\u001b[0m {\n    \u001b[0mb\u001b[2m:\u001b[0m {\n      \u001b[0mc\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[URLSearchParams ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0md\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[Event ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0me\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[AbortController ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    }\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ a: { b: { c:  [URLSearchParams ...], d:  [Event ...], e:  [AbortController ...] } } }",
    "{\n  a: {\n    b: {\n      c: [URLSearchParams ...],\n      d: [Event ...],\n      e: [AbortController ...],\n    },\n  },\n}",
  ]],
  [() => (new (class Z extends URLSearchParams { q = 1; })("a=1")), [
    "URLSearchParams {\n  \"a\": \"1\",\n}",
    "URLSearchParams {\n  \u001b[0m\u001b[32m\"a\"\u001b[0m\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"1\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "URLSearchParams { \"a\": \"1\" }",
    "URLSearchParams {\n  \"a\": \"1\",\n}",
  ]],
  [() => (new AbortController()), [
    "AbortController {\n  signal: AbortSignal {\n    aborted: false,\n    reason: undefined,\n    onabort: null,\n    throwIfAborted: [Function: throwIfAborted],\n    addEventListener: [Function: addEventListener],\n    removeEventListener: [Function: removeEventListener],\n    dispatchEvent: [Function: dispatchEvent],\n  },\n  abort: [Function: abort],\n}",
    "AbortController {\n  \u001b[0msignal\u001b[2m:\u001b[0m AbortSignal {\n    \u001b[0maborted\u001b[2m:\u001b[0m \u001b[0m\u001b[33mfalse\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mreason\u001b[2m:\u001b[0m \u001b[0m\u001b[2mundefined\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0monabort\u001b[2m:\u001b[0m \u001b[0m\u001b[33mnull\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mthrowIfAborted\u001b[2m:\u001b[0m \u001b[36m[Function: throwIfAborted]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0maddEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: addEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mremoveEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: removeEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mdispatchEvent\u001b[2m:\u001b[0m \u001b[36m[Function: dispatchEvent]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mabort\u001b[2m:\u001b[0m \u001b[36m[Function: abort]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "AbortController { signal: AbortSignal { aborted: false, reason: undefined, onabort: null, throwIfAborted: [Function: throwIfAborted], addEventListener: [Function: addEventListener], removeEventListener: [Function: removeEventListener], dispatchEvent: [Function: dispatchEvent] }, abort: [Function: abort] }",
    "AbortController {}",
  ]],
  [() => ([new AbortController().signal]), [
    "[\n  AbortSignal {\n    aborted: false,\n    reason: undefined,\n    onabort: null,\n    throwIfAborted: [Function: throwIfAborted],\n    addEventListener: [Function: addEventListener],\n    removeEventListener: [Function: removeEventListener],\n    dispatchEvent: [Function: dispatchEvent],\n  }\n]",
    "[\n  AbortSignal {\n    \u001b[0maborted\u001b[2m:\u001b[0m \u001b[0m\u001b[33mfalse\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mreason\u001b[2m:\u001b[0m \u001b[0m\u001b[2mundefined\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0monabort\u001b[2m:\u001b[0m \u001b[0m\u001b[33mnull\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mthrowIfAborted\u001b[2m:\u001b[0m \u001b[36m[Function: throwIfAborted]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0maddEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: addEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mremoveEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: removeEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mdispatchEvent\u001b[2m:\u001b[0m \u001b[36m[Function: dispatchEvent]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  }\n]",
    "[ AbortSignal { aborted: false, reason: undefined, onabort: null, throwIfAborted: [Function: throwIfAborted], addEventListener: [Function: addEventListener], removeEventListener: [Function: removeEventListener], dispatchEvent: [Function: dispatchEvent] } ]",
    "[\n  AbortSignal {}\n]",
  ]],
  [() => (new EventTarget()), [
    "EventTarget {\n  addEventListener: [Function: addEventListener],\n  removeEventListener: [Function: removeEventListener],\n  dispatchEvent: [Function: dispatchEvent],\n}",
    "EventTarget {\n  \u001b[0maddEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: addEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mremoveEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: removeEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mdispatchEvent\u001b[2m:\u001b[0m \u001b[36m[Function: dispatchEvent]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "EventTarget { addEventListener: [Function: addEventListener], removeEventListener: [Function: removeEventListener], dispatchEvent: [Function: dispatchEvent] }",
    "EventTarget {}",
  ]],
  [() => (new (class extends EventTarget { x = 1; })()), [
    "EventTarget {\n  x: 1,\n  addEventListener: [Function: addEventListener],\n  removeEventListener: [Function: removeEventListener],\n  dispatchEvent: [Function: dispatchEvent],\n}",
    "EventTarget {\n  \u001b[0mx\u001b[2m:\u001b[0m \u001b[0m\u001b[33m1\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0maddEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: addEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mremoveEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: removeEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mdispatchEvent\u001b[2m:\u001b[0m \u001b[36m[Function: dispatchEvent]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "EventTarget { x: 1, addEventListener: [Function: addEventListener], removeEventListener: [Function: removeEventListener], dispatchEvent: [Function: dispatchEvent] }",
    "EventTarget {\n  x: 1,\n}",
  ]],
  [() => (new (class Target extends EventTarget { get y() { return 1; } z() {} })()), [
    "Target {\n  y: [Getter],\n  z: [Function: z],\n  addEventListener: [Function: addEventListener],\n  removeEventListener: [Function: removeEventListener],\n  dispatchEvent: [Function: dispatchEvent],\n}",
    "Target {\n  \u001b[0my\u001b[2m:\u001b[0m \u001b[36m[Getter]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mz\u001b[2m:\u001b[0m \u001b[36m[Function: z]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0maddEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: addEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mremoveEventListener\u001b[2m:\u001b[0m \u001b[36m[Function: removeEventListener]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mdispatchEvent\u001b[2m:\u001b[0m \u001b[36m[Function: dispatchEvent]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "Target { y: [Getter], z: [Function: z], addEventListener: [Function: addEventListener], removeEventListener: [Function: removeEventListener], dispatchEvent: [Function: dispatchEvent] }",
    "Target {}",
  ]],
  [() => (new TextEncoder()), [
    "TextEncoder {\n  encoding: \"utf-8\",\n  encode: [Function: encode],\n  encodeInto: [Function: encodeInto],\n}",
    "TextEncoder {\n  \u001b[0mencoding\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"utf-8\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mencode\u001b[2m:\u001b[0m \u001b[36m[Function: encode]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mencodeInto\u001b[2m:\u001b[0m \u001b[36m[Function: encodeInto]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "TextEncoder { encoding: \"utf-8\", encode: [Function: encode], encodeInto: [Function: encodeInto] }",
    "TextEncoder {}",
  ]],
  [() => (new TextDecoder("utf-16le", { fatal: true })), [
    "TextDecoder {\n  decode: [Function: decode],\n  encoding: \"utf-16le\",\n  fatal: true,\n  ignoreBOM: false,\n}",
    "TextDecoder {\n  \u001b[0mdecode\u001b[2m:\u001b[0m \u001b[36m[Function: decode]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mencoding\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"utf-16le\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mfatal\u001b[2m:\u001b[0m \u001b[0m\u001b[33mtrue\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mignoreBOM\u001b[2m:\u001b[0m \u001b[0m\u001b[33mfalse\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "TextDecoder { decode: [Function: decode], encoding: \"utf-16le\", fatal: true, ignoreBOM: false }",
    "TextDecoder {}",
  ]],
  [() => (Event), [
    "[class Event]",
    "\u001b[36m[class Event]\u001b[0m",
    "[class Event]",
    "[class Event]",
  ]],
  [() => (AbortController.prototype), [
    "AbortController {\n  signal: undefined,\n  abort: [Function: abort],\n}",
    "AbortController {\n  \u001b[0msignal\u001b[2m:\u001b[0m \u001b[0m\u001b[2mundefined\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mabort\u001b[2m:\u001b[0m \u001b[36m[Function: abort]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "AbortController { signal: undefined, abort: [Function: abort] }",
    "AbortController {\n  abort: [Function: abort],\n  signal: undefined,\n}",
  ]],
  [() => (new (class M extends DOMException { z = 1; })("a", "NotFoundError")), [
    "M {\n  z: 1,\n  code: 8,\n  name: \"NotFoundError\",\n  message: \"a\",\n  INDEX_SIZE_ERR: 1,\n  DOMSTRING_SIZE_ERR: 2,\n  HIERARCHY_REQUEST_ERR: 3,\n  WRONG_DOCUMENT_ERR: 4,\n  INVALID_CHARACTER_ERR: 5,\n  NO_DATA_ALLOWED_ERR: 6,\n  NO_MODIFICATION_ALLOWED_ERR: 7,\n  NOT_FOUND_ERR: 8,\n  NOT_SUPPORTED_ERR: 9,\n  INUSE_ATTRIBUTE_ERR: 10,\n  INVALID_STATE_ERR: 11,\n  SYNTAX_ERR: 12,\n  INVALID_MODIFICATION_ERR: 13,\n  NAMESPACE_ERR: 14,\n  INVALID_ACCESS_ERR: 15,\n  VALIDATION_ERR: 16,\n  TYPE_MISMATCH_ERR: 17,\n  SECURITY_ERR: 18,\n  NETWORK_ERR: 19,\n  ABORT_ERR: 20,\n  URL_MISMATCH_ERR: 21,\n  QUOTA_EXCEEDED_ERR: 22,\n  TIMEOUT_ERR: 23,\n  INVALID_NODE_TYPE_ERR: 24,\n  DATA_CLONE_ERR: 25,\n  toString: [Function: toString],\n}",
    "M {\n  \u001b[0mz\u001b[2m:\u001b[0m \u001b[0m\u001b[33m1\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mcode\u001b[2m:\u001b[0m \u001b[0m\u001b[33m8\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mname\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"NotFoundError\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mmessage\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"a\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINDEX_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m1\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mDOMSTRING_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m2\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mHIERARCHY_REQUEST_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m3\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mWRONG_DOCUMENT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m4\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_CHARACTER_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m5\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNO_DATA_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m6\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNO_MODIFICATION_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m7\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNOT_FOUND_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m8\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNOT_SUPPORTED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m9\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINUSE_ATTRIBUTE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m10\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_STATE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m11\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mSYNTAX_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m12\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_MODIFICATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m13\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNAMESPACE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m14\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_ACCESS_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m15\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mVALIDATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m16\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mTYPE_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m17\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mSECURITY_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m18\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNETWORK_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m19\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mABORT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m20\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mURL_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m21\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mQUOTA_EXCEEDED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m22\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mTIMEOUT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m23\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_NODE_TYPE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m24\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mDATA_CLONE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m25\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mtoString\u001b[2m:\u001b[0m \u001b[36m[Function: toString]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "M { z: 1, code: 8, name: \"NotFoundError\", message: \"a\", INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5, NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10, INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15, VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21, QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25, toString: [Function: toString] }",
    "M {\n  z: 1,\n}",
  ]],
  [() => ({ e: new DOMException("m", "AbortError") }), [
    "{\n  e: DOMException {\n    code: 20,\n    name: \"AbortError\",\n    message: \"m\",\n    INDEX_SIZE_ERR: 1,\n    DOMSTRING_SIZE_ERR: 2,\n    HIERARCHY_REQUEST_ERR: 3,\n    WRONG_DOCUMENT_ERR: 4,\n    INVALID_CHARACTER_ERR: 5,\n    NO_DATA_ALLOWED_ERR: 6,\n    NO_MODIFICATION_ALLOWED_ERR: 7,\n    NOT_FOUND_ERR: 8,\n    NOT_SUPPORTED_ERR: 9,\n    INUSE_ATTRIBUTE_ERR: 10,\n    INVALID_STATE_ERR: 11,\n    SYNTAX_ERR: 12,\n    INVALID_MODIFICATION_ERR: 13,\n    NAMESPACE_ERR: 14,\n    INVALID_ACCESS_ERR: 15,\n    VALIDATION_ERR: 16,\n    TYPE_MISMATCH_ERR: 17,\n    SECURITY_ERR: 18,\n    NETWORK_ERR: 19,\n    ABORT_ERR: 20,\n    URL_MISMATCH_ERR: 21,\n    QUOTA_EXCEEDED_ERR: 22,\n    TIMEOUT_ERR: 23,\n    INVALID_NODE_TYPE_ERR: 24,\n    DATA_CLONE_ERR: 25,\n    toString: [Function: toString],\n  },\n}",
    "{\n  \u001b[0me\u001b[2m:\u001b[0m DOMException {\n    \u001b[0mcode\u001b[2m:\u001b[0m \u001b[0m\u001b[33m20\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mname\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"AbortError\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mmessage\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"m\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINDEX_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m1\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mDOMSTRING_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m2\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mHIERARCHY_REQUEST_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m3\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mWRONG_DOCUMENT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m4\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINVALID_CHARACTER_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m5\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNO_DATA_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m6\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNO_MODIFICATION_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m7\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNOT_FOUND_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m8\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNOT_SUPPORTED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m9\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINUSE_ATTRIBUTE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m10\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINVALID_STATE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m11\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mSYNTAX_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m12\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINVALID_MODIFICATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m13\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNAMESPACE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m14\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINVALID_ACCESS_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m15\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mVALIDATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m16\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mTYPE_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m17\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mSECURITY_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m18\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mNETWORK_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m19\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mABORT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m20\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mURL_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m21\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mQUOTA_EXCEEDED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m22\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mTIMEOUT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m23\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mINVALID_NODE_TYPE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m24\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mDATA_CLONE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m25\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    \u001b[0mtoString\u001b[2m:\u001b[0m \u001b[36m[Function: toString]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ e: DOMException { code: 20, name: \"AbortError\", message: \"m\", INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5, NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10, INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15, VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21, QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25, toString: [Function: toString] } }",
    "{\n  e: DOMException {},\n}",
  ]],
  [() => (Object.assign(new DOMException("m"), { code2: 2 })), [
    "DOMException {\n  code2: 2,\n  code: 0,\n  name: \"Error\",\n  message: \"m\",\n  INDEX_SIZE_ERR: 1,\n  DOMSTRING_SIZE_ERR: 2,\n  HIERARCHY_REQUEST_ERR: 3,\n  WRONG_DOCUMENT_ERR: 4,\n  INVALID_CHARACTER_ERR: 5,\n  NO_DATA_ALLOWED_ERR: 6,\n  NO_MODIFICATION_ALLOWED_ERR: 7,\n  NOT_FOUND_ERR: 8,\n  NOT_SUPPORTED_ERR: 9,\n  INUSE_ATTRIBUTE_ERR: 10,\n  INVALID_STATE_ERR: 11,\n  SYNTAX_ERR: 12,\n  INVALID_MODIFICATION_ERR: 13,\n  NAMESPACE_ERR: 14,\n  INVALID_ACCESS_ERR: 15,\n  VALIDATION_ERR: 16,\n  TYPE_MISMATCH_ERR: 17,\n  SECURITY_ERR: 18,\n  NETWORK_ERR: 19,\n  ABORT_ERR: 20,\n  URL_MISMATCH_ERR: 21,\n  QUOTA_EXCEEDED_ERR: 22,\n  TIMEOUT_ERR: 23,\n  INVALID_NODE_TYPE_ERR: 24,\n  DATA_CLONE_ERR: 25,\n  toString: [Function: toString],\n}",
    "DOMException {\n  \u001b[0mcode2\u001b[2m:\u001b[0m \u001b[0m\u001b[33m2\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mcode\u001b[2m:\u001b[0m \u001b[0m\u001b[33m0\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mname\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"Error\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mmessage\u001b[2m:\u001b[0m \u001b[0m\u001b[32m\u001b[0m\u001b[32m\"m\"\u001b[0m\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINDEX_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m1\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mDOMSTRING_SIZE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m2\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mHIERARCHY_REQUEST_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m3\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mWRONG_DOCUMENT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m4\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_CHARACTER_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m5\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNO_DATA_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m6\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNO_MODIFICATION_ALLOWED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m7\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNOT_FOUND_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m8\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNOT_SUPPORTED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m9\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINUSE_ATTRIBUTE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m10\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_STATE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m11\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mSYNTAX_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m12\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_MODIFICATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m13\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNAMESPACE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m14\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_ACCESS_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m15\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mVALIDATION_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m16\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mTYPE_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m17\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mSECURITY_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m18\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mNETWORK_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m19\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mABORT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m20\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mURL_MISMATCH_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m21\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mQUOTA_EXCEEDED_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m22\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mTIMEOUT_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m23\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mINVALID_NODE_TYPE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m24\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mDATA_CLONE_ERR\u001b[2m:\u001b[0m \u001b[0m\u001b[33m25\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n  \u001b[0mtoString\u001b[2m:\u001b[0m \u001b[36m[Function: toString]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "DOMException { code2: 2, code: 0, name: \"Error\", message: \"m\", INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5, NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10, INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15, VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21, QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25, toString: [Function: toString] }",
    "DOMException {\n  code2: 2,\n}",
  ]],
  [() => ({ a: { b: { c: new DOMException("m") } } }), [
    "{\n  a: {\n    b: {\n      c: [DOMException ...],\n    },\n  },\n}",
    "{\n  \u001b[0ma\u001b[2m:\u001b[0m {\n    \u001b[0mb\u001b[2m:\u001b[0m {\n      \u001b[0mc\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[DOMException ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    }\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ a: { b: { c:  [DOMException ...] } } }",
    "{\n  a: {\n    b: {\n      c: [DOMException ...],\n    },\n  },\n}",
  ]],
  [() => (new (class X extends Event { [Symbol.for("nodejs.util.inspect.custom")]() { return "X!"; } })("x")), [
    "X!",
    "X!",
    "X!",
    "X!",
  ]],
  [() => (new (class T { get [Symbol.toStringTag]() { return "Event"; } get q() { return 1; } })()), [
    "T {\n  q: [Getter],\n}",
    "T {\n  \u001b[0mq\u001b[2m:\u001b[0m \u001b[36m[Getter]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "T { q: [Getter] }",
    "T {}",
  ]],
  [() => (Object.defineProperty(new (class T { get q() { return 1; } })(), Symbol.toStringTag, { value: "Event" })), [
    "T {\n  q: [Getter],\n}",
    "T {\n  \u001b[0mq\u001b[2m:\u001b[0m \u001b[36m[Getter]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n}",
    "T { q: [Getter] }",
    "T {}",
  ]],
  [() => ({ a: { b: { c: new WeakRef({}), d: Math, e: [].values(), f: new Intl.NumberFormat(), g: JSON, h: Map.prototype } } }), [
    "{\n  a: {\n    b: {\n      c: [WeakRef ...],\n      d: [Math ...],\n      e: [Array Iterator ...],\n      f: [Intl.NumberFormat ...],\n      g: [JSON ...],\n      h: [Map ...],\n    },\n  },\n}",
    "{\n  \u001b[0ma\u001b[2m:\u001b[0m {\n    \u001b[0mb\u001b[2m:\u001b[0m {\n      \u001b[0mc\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[WeakRef ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0md\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[Math ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0me\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[Array Iterator ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0mf\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[Intl.NumberFormat ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0mg\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[JSON ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n      \u001b[0mh\u001b[2m:\u001b[0m \u001b[0m\u001b[36m[Map ...]\u001b[0m\u001b[0m\u001b[2m,\u001b[0m\n    }\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ a: { b: { c:  [WeakRef ...], d:  [Math ...], e:  [Array Iterator ...], f:  [Intl.NumberFormat ...], g:  [JSON ...], h:  [Map ...] } } }",
    "{\n  a: {\n    b: {\n      c: [WeakRef ...],\n      d: [Math ...],\n      e: [Array Iterator ...],\n      f: [Intl.NumberFormat ...],\n      g: [JSON ...],\n      h: [Map ...],\n    },\n  },\n}",
  ]],
  [() => (new URL("http://u:p@h:1/p?q#h")), [
    "URL {\n  href: 'http://u:p@h:1/p?q#h',\n  origin: 'http://h:1',\n  protocol: 'http:',\n  username: 'u',\n  password: 'p',\n  host: 'h:1',\n  hostname: 'h',\n  port: '1',\n  pathname: '/p',\n  search: '?q',\n  searchParams: URLSearchParams { 'q' => '' },\n  hash: '#h'\n}",
    "URL {\n  href: \u001b[32m'http://u:p@h:1/p?q#h'\u001b[39m,\n  origin: \u001b[32m'http://h:1'\u001b[39m,\n  protocol: \u001b[32m'http:'\u001b[39m,\n  username: \u001b[32m'u'\u001b[39m,\n  password: \u001b[32m'p'\u001b[39m,\n  host: \u001b[32m'h:1'\u001b[39m,\n  hostname: \u001b[32m'h'\u001b[39m,\n  port: \u001b[32m'1'\u001b[39m,\n  pathname: \u001b[32m'/p'\u001b[39m,\n  search: \u001b[32m'?q'\u001b[39m,\n  searchParams: URLSearchParams { \u001b[32m'q'\u001b[39m => \u001b[32m''\u001b[39m },\n  hash: \u001b[32m'#h'\u001b[39m\n}",
    "URL {\n  href: 'http://u:p@h:1/p?q#h',\n  origin: 'http://h:1',\n  protocol: 'http:',\n  username: 'u',\n  password: 'p',\n  host: 'h:1',\n  hostname: 'h',\n  port: '1',\n  pathname: '/p',\n  search: '?q',\n  searchParams: URLSearchParams { 'q' => '' },\n  hash: '#h'\n}",
    "URL {\n  href: 'http://u:p@h:1/p?q#h',\n  origin: 'http://h:1',\n  protocol: 'http:',\n  username: 'u',\n  password: 'p',\n  host: 'h:1',\n  hostname: 'h',\n  port: '1',\n  pathname: '/p',\n  search: '?q',\n  searchParams: URLSearchParams { 'q' => '' },\n  hash: '#h'\n}",
  ]],
  [() => ({ a: { b: { c: new URL("http://h/") } } }), [
    "{\n  a: {\n    b: {\n      c: URL {\n  href: 'http://h/',\n  origin: 'http://h',\n  protocol: 'http:',\n  username: '',\n  password: '',\n  host: 'h',\n  hostname: 'h',\n  port: '',\n  pathname: '/',\n  search: '',\n  searchParams: URLSearchParams {},\n  hash: ''\n},\n    },\n  },\n}",
    "{\n  \u001b[0ma\u001b[2m:\u001b[0m {\n    \u001b[0mb\u001b[2m:\u001b[0m {\n      \u001b[0mc\u001b[2m:\u001b[0m URL {\n  href: \u001b[32m'http://h/'\u001b[39m,\n  origin: \u001b[32m'http://h'\u001b[39m,\n  protocol: \u001b[32m'http:'\u001b[39m,\n  username: \u001b[32m''\u001b[39m,\n  password: \u001b[32m''\u001b[39m,\n  host: \u001b[32m'h'\u001b[39m,\n  hostname: \u001b[32m'h'\u001b[39m,\n  port: \u001b[32m''\u001b[39m,\n  pathname: \u001b[32m'/'\u001b[39m,\n  search: \u001b[32m''\u001b[39m,\n  searchParams: URLSearchParams {},\n  hash: \u001b[32m''\u001b[39m\n}\u001b[0m\u001b[2m,\u001b[0m\n    }\u001b[0m\u001b[2m,\u001b[0m\n  }\u001b[0m\u001b[2m,\u001b[0m\n}",
    "{ a: { b: { c: URL {\n  href: 'http://h/',\n  origin: 'http://h',\n  protocol: 'http:',\n  username: '',\n  password: '',\n  host: 'h',\n  hostname: 'h',\n  port: '',\n  pathname: '/',\n  search: '',\n  searchParams: URLSearchParams {},\n  hash: ''\n} } } }",
    "{\n  a: {\n    b: {\n      c: URL {\n  href: 'http://h/',\n  origin: 'http://h',\n  protocol: 'http:',\n  username: '',\n  password: '',\n  host: 'h',\n  hostname: 'h',\n  port: '',\n  pathname: '/',\n  search: '',\n  searchParams: URLSearchParams {},\n  hash: ''\n},\n    },\n  },\n}",
  ]],
];

const modes = [{}, { colors: true }, { compact: true }, { sorted: true }];

for (const [make, results] of cases) {
  for (let i = 0; i < modes.length; i++) {
    test(`${make} ${JSON.stringify(modes[i])}`, () => {
      expect(bunInspect(make(), { depth: 2, ...modes[i] })).toBe(results[i]);
    });
  }
}
