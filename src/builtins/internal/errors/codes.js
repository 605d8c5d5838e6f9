// internal/errors/codes -- the table of error codes: [base class, text or function, extra].
//
// In a text, %s stands for the next argument. A function gets the constructor's arguments and
// returns the text; `extra(err, args)` may add properties. Sorted by code. Texts are Node 24's.

const { setOf } = require("internal/set_of");
/** "a", "a and b", "a, b, and c". */
function formatList(words, conjunction) {
  if (words.length < 2) return words.join("");
  if (words.length === 2) return `${words[0]} ${conjunction} ${words[1]}`;
  return `${words.slice(0, -1).join(", ")}, ${conjunction} ${words[words.length - 1]}`;
}

/** As util.inspect shows it: for strings and other primitives without loading the printer. */
function show(value, options) {
  switch (typeof value) {
    case "string":
      if (/^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/.test(value)) return `'${value}'`;
      break;
    case "bigint":
      return `${value}n`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
    case "undefined":
    case "symbol":
      return String(value);
    default:
      if (value === null) return "null";
  }
  return require("internal/inspect").inspect(value, options);
}

/** What was received, as the ends of messages say it: "type number (1)", "an instance of Foo". */
function determineSpecificType(value) {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (typeof value === "function") return value.name ? `function ${value.name}` : "function ";
  if (typeof value === "object") {
    if (value.constructor?.name) return `an instance of ${value.constructor.name}`;
    return show(value, { depth: -1 });
  }
  let text = show(value, { colors: false });
  if (typeof value === "string" && value.length > 28) {
    text = show(`${value.slice(0, 25)}...`, { colors: false });
  } else if (text.length > 28) {
    text = `${text.slice(0, 25)}...`;
  }
  return `type ${typeof value} (${text})`;
}

const kPrimitiveTypes = setOf([
  "string", "function", "number", "object", "Function", "Object", "boolean", "bigint", "symbol",
]);
const kClassName = /^[A-Z][a-zA-Z0-9]*$/;

function subject(name) {
  if (name.endsWith(" argument")) return `The ${name}`;
  return `The "${name}" ${name.includes(".") ? "property" : "argument"}`;
}

/** "of type string or an instance of Buffer or one of 'a'". */
function describeExpected(expected) {
  const types = [];
  const instances = [];
  const other = [];
  for (let i = 0, all = Array.isArray(expected) ? expected : [expected]; i < all.length; i++) {
    const word = all[i];
    if (kPrimitiveTypes.has(word)) types.push(word.toLowerCase());
    else if (kClassName.test(word)) instances.push(word);
    else other.push(word);
  }
  const i = types.indexOf("object");
  if (instances.length > 0 && i >= 0) {
    types.splice(i, 1);
    instances.push("Object");
  }
  const parts = [];
  if (types.length > 0) {
    parts.push(`${types.length > 1 ? "one of type" : "of type"} ${formatList(types, "or")}`);
  }
  if (instances.length > 0) parts.push(`an instance of ${formatList(instances, "or")}`);
  if (other.length > 1) parts.push(`one of ${formatList(other, "or")}`);
  else if (other.length === 1) {
    parts.push(other[0].toLowerCase() === other[0] ? other[0] : `an ${other[0]}`);
  }
  return parts.join(" or ");
}

function invalidArgType(name, expected, actual) {
  return (
    `${subject(name)} must be ${describeExpected(expected)}. ` +
    `Received ${determineSpecificType(actual)}`
  );
}

function invalidArgValue(name, value, reason = "is invalid") {
  let text = show(value);
  if (text.length > 128) text = `${text.slice(0, 128)}...`;
  const kind = name.includes(".") ? "property" : "argument";
  return `The ${kind} '${name}' ${reason}. Received ${text}`;
}

function missingArgs(...names) {
  const quoted = names.map((name) =>
    Array.isArray(name) ? name.map((n) => `"${n}"`).join(" or ") : `"${name}"`,
  );
  const plural = names.length > 1 ? "s" : "";
  return `The ${formatList(quoted, "and")} argument${plural} must be specified`;
}

function groupDigits(text) {
  const start = text[0] === "-" ? 1 : 0;
  let out = "";
  let i = text.length;
  for (; i >= start + 4; i -= 3) out = `_${text.slice(i - 3, i)}${out}`;
  return text.slice(0, i) + out;
}

function outOfRange(name, range, input, replaceDefault = false) {
  let received;
  if (Number.isInteger(input) && Math.abs(input) > 2 ** 32) {
    received = groupDigits(String(input));
  } else if (typeof input === "bigint") {
    received = String(input);
    const limit = 2n ** 32n;
    if (input > limit || input < -limit) received = groupDigits(received);
    received += "n";
  } else {
    received = show(input);
  }
  const head = replaceDefault ? name : `The value of "${name}" is out of range.`;
  return `${head} It must be ${range}. Received ${received}`;
}

function invalidReturnValue(input, name, value) {
  return (
    `Expected ${input} to be returned from the "${name}" function ` +
    `but got ${determineSpecificType(value)}.`
  );
}

const notInstance = (what) => `Value of "this" must be of type ${what}`;

exports.determineSpecificType = determineSpecificType;
exports.formatList = formatList;
exports.table = {
  __proto__: null,
  ERR_AMBIGUOUS_ARGUMENT: ["TypeError", 'The "%s" argument is ambiguous. %s'],
  ERR_ARG_NOT_ITERABLE: ["TypeError", "%s must be iterable"],
  ERR_ASYNC_CALLBACK: ["TypeError", "%s must be a function"],
  ERR_ASYNC_TYPE: ["TypeError", 'Invalid name for async "type": %s'],
  ERR_BROTLI_INVALID_PARAM: ["RangeError", "%s is not a valid Brotli parameter"],
  ERR_BUFFER_OUT_OF_BOUNDS: [
    "RangeError",
    (name) =>
      name
        ? `"${name}" is outside of buffer bounds`
        : "Attempt to access memory outside buffer bounds",
  ],
  ERR_BUFFER_TOO_LARGE: ["RangeError", "Cannot create a Buffer larger than %s bytes"],
  ERR_CANNOT_WATCH_SIGINT: ["Error", "Cannot watch for SIGINT signals"],
  ERR_CHILD_CLOSED_BEFORE_REPLY: ["Error", "Child closed before reply received"],
  ERR_CHILD_PROCESS_IPC_REQUIRED: [
    "Error", "Forked processes must have an IPC channel, missing value 'ipc' in %s",
  ],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: ["RangeError", "%s maxBuffer length exceeded"],
  ERR_CLOSED_MESSAGE_PORT: ["Error", "Cannot send data on closed MessagePort"],
  ERR_CONSOLE_WRITABLE_STREAM: [
    "TypeError", "Console expects a writable stream instance for %s",
  ],
  ERR_CONSTRUCT_CALL_INVALID: ["TypeError", "Constructor cannot be called"],
  ERR_CONSTRUCT_CALL_REQUIRED: [
    "TypeError", "Class constructor %s cannot be invoked without `new`",
  ],
  ERR_CRYPTO_FIPS_UNAVAILABLE: ["Error", "Cannot set FIPS mode in a non-FIPS build."],
  ERR_CRYPTO_HASH_FINALIZED: ["Error", "Digest already called"],
  ERR_CRYPTO_HASH_UPDATE_FAILED: ["Error", "Hash update failed"],
  ERR_CRYPTO_ECDH_INVALID_FORMAT: ["TypeError", "Invalid ECDH format: %s"],
  ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY: ["Error", "Public key is not valid for specified curve"],
  ERR_CRYPTO_INCOMPATIBLE_KEY: ["Error", "Incompatible %s: %s"],
  ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS: ["Error", "The selected key encoding %s %s."],
  ERR_CRYPTO_INVALID_AUTH_TAG: ["TypeError", "%s"],
  ERR_CRYPTO_INVALID_CURVE: ["TypeError", "Invalid EC curve name"],
  ERR_CRYPTO_INVALID_DIGEST: [
    "TypeError", (name) => (name === undefined ? "Invalid digest" : `Invalid digest: ${name}`),
  ],
  ERR_CRYPTO_INVALID_IV: ["TypeError", "Invalid initialization vector"],
  ERR_CRYPTO_INVALID_JWK: ["TypeError", "%s"],
  ERR_CRYPTO_INVALID_KEYPAIR: ["RangeError", "Invalid key pair"],
  ERR_CRYPTO_INVALID_KEYTYPE: ["RangeError", "Invalid key type"],
  ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE: [
    "TypeError", (actual, expected) => `Invalid key object type ${actual}, expected ${expected}.`,
  ],
  ERR_CRYPTO_INVALID_KEYLEN: ["RangeError", "Invalid key length"],
  ERR_CRYPTO_INVALID_MESSAGELEN: ["RangeError", "Invalid message length"],
  ERR_CRYPTO_INVALID_SCRYPT_PARAMS: [
    "RangeError",
    (detail) => (detail ? `Invalid scrypt params: ${detail}` : "Invalid scrypt params"),
  ],
  ERR_CRYPTO_INVALID_STATE: ["Error", "Invalid state for operation %s"],
  ERR_CRYPTO_JWK_UNSUPPORTED_CURVE: ["Error", "Unsupported JWK EC curve: %s."],
  ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE: ["Error", "Unsupported JWK Key Type."],
  ERR_CRYPTO_OPERATION_FAILED: ["Error", "%s"],
  ERR_CRYPTO_SIGN_KEY_REQUIRED: ["Error", "No key provided to sign"],
  ERR_CRYPTO_UNKNOWN_DH_GROUP: ["Error", "Unknown DH group"],
  ERR_CRYPTO_UNKNOWN_CIPHER: ["Error", "Unknown cipher"],
  ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH: [
    "RangeError", "Input buffers must have the same byte length",
  ],
  ERR_DIR_CLOSED: ["Error", "Directory handle was closed"],
  ERR_DIR_CONCURRENT_OPERATION: [
    "Error",
    "Cannot do synchronous work on directory handle with concurrent asynchronous operations",
  ],
  ERR_DLOPEN_FAILED: ["Error", "%s"],
  ERR_DNS_SET_SERVERS_FAILED: [
    "Error", (error, servers) => `c-ares failed to set servers: "${error}" [${servers}]`,
  ],
  ERR_DOMAIN_CALLBACK_NOT_AVAILABLE: ["Error", "%s"],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    "TypeError",
    (encoding) => `The encoded data was not valid for encoding ${encoding}`,
    (err, args) => {
      if (args[1] !== undefined) err.errno = args[1];
    },
  ],
  ERR_ENCODING_NOT_SUPPORTED: ["RangeError", 'The "%s" encoding is not supported'],
  ERR_EVENT_RECURSION: ["Error", 'The event "%s" is already being dispatched'],
  ERR_FALSY_VALUE_REJECTION: [
    "Error",
    () => "Promise was rejected with falsy value",
    (err, args) => {
      err.reason = args[0];
    },
  ],
  ERR_FS_FILE_TOO_LARGE: ["RangeError", "File size (%s) is greater than 2 GiB"],
  ERR_FS_INVALID_SYMLINK_TYPE: [
    "Error", 'Symlink type must be one of "dir", "file", or "junction". Received "%s"',
  ],
  ERR_HTTP_BODY_NOT_ALLOWED: [
    "Error", "Adding content for this request method or response status is not allowed.",
  ],
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: [
    "Error",
    "Response body's content-length of %s byte(s) does not match the content-length of " +
      "%s byte(s) set in header",
  ],
  ERR_HTTP_HEADERS_SENT: ["Error", "Cannot %s headers after they are sent to the client"],
  ERR_HTTP_INVALID_HEADER_VALUE: ["TypeError", 'Invalid value "%s" for header "%s"'],
  ERR_HTTP_INVALID_STATUS_CODE: ["RangeError", "Invalid status code: %s"],
  ERR_HTTP_REQUEST_TIMEOUT: ["Error", "Request timeout"],
  ERR_HTTP_SOCKET_ENCODING: ["Error",
    "Changing the socket encoding is not allowed per RFC7230 Section 3."],
  ERR_HTTP_SOCKET_ASSIGNED: ["Error", "ServerResponse has an already assigned socket"],
  ERR_HTTP_TRAILER_INVALID: ["Error", "Trailers are invalid with this transfer encoding"],
  ERR_ILLEGAL_CONSTRUCTOR: ["TypeError", "Illegal constructor"],
  ERR_INCOMPATIBLE_OPTION_PAIR: [
    "TypeError", 'Option "%s" cannot be used in combination with option "%s"',
  ],
  ERR_INSPECTOR_ALREADY_ACTIVATED: [
    "Error",
    "Inspector is already activated. Close it with inspector.close() before activating it " +
      "again.",
  ],
  ERR_INTERNAL_ASSERTION: ["Error", "%s"],
  ERR_INVALID_ADDRESS: ["Error", "Invalid address: %s"],
  ERR_INVALID_ADDRESS_FAMILY: [
    "RangeError",
    (family, host, port) => `Invalid address family: ${family} ${host}:${port}`,
    (err, args) => {
      err.host = args[1];
      err.port = args[2];
    },
  ],
  ERR_INVALID_ARG_TYPE: ["TypeError", invalidArgType],
  ERR_INVALID_ARG_VALUE: ["TypeError", invalidArgValue],
  // Node's second class of the code above; `ERR_INVALID_ARG_VALUE.RangeError` there.
  ERR_INVALID_ARG_VALUE_RANGE: [
    "RangeError",
    invalidArgValue,
    (err) => {
      err.code = "ERR_INVALID_ARG_VALUE";
    },
  ],
  ERR_INVALID_ASYNC_ID: ["RangeError", "Invalid %s value: %s"],
  ERR_INVALID_BUFFER_SIZE: ["RangeError", "Buffer size must be a multiple of %s"],
  ERR_INVALID_CHAR: [
    "TypeError",
    (name, field) =>
      `Invalid character in ${name}${field === undefined ? "" : ` ["${field}"]`}`,
  ],
  ERR_INVALID_CURSOR_POS: [
    "TypeError", "Cannot set cursor row without setting its column",
  ],
  ERR_INVALID_FD: ["RangeError", '"fd" must be a positive integer: %s'],
  ERR_INVALID_FD_TYPE: ["TypeError", "Unsupported fd type: %s"],
  ERR_INVALID_FILE_URL_HOST: ["TypeError", 'File URL host must be "localhost" or empty on %s'],
  ERR_INVALID_FILE_URL_PATH: [
    "TypeError",
    (reason) => `File URL path ${reason}`,
    (err, args) => {
      if (args[1] !== undefined) err.input = args[1];
    },
  ],
  ERR_INVALID_HANDLE_TYPE: ["TypeError", "This handle type cannot be sent"],
  ERR_INVALID_HTTP_TOKEN: ["TypeError", '%s must be a valid HTTP token ["%s"]'],
  ERR_INVALID_IP_ADDRESS: ["TypeError", "Invalid IP address: %s"],
  ERR_INVALID_MIME_SYNTAX: [
    "TypeError",
    (production, str, idx) =>
      `The MIME syntax for a ${production} in ${show(str)} is invalid` +
      (idx === -1 ? "" : ` at ${idx}`),
  ],
  ERR_INVALID_MODULE_SPECIFIER: [
    "TypeError",
    (request, reason, base) =>
      `Invalid module "${request}" ${reason}${base ? ` imported from ${base}` : ""}`,
  ],
  ERR_INVALID_OBJECT_DEFINE_PROPERTY: ["TypeError", "%s"],
  ERR_INVALID_PROTOCOL: ["TypeError", 'Protocol "%s" not supported. Expected "%s"'],
  ERR_INVALID_RETURN_PROPERTY: [
    "TypeError",
    (input, name, prop, value) =>
      `Expected a valid ${input} to be returned for the "${prop}" from the ` +
      `"${name}" hook but got ${show(value)}.`,
  ],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [
    "TypeError",
    (input, name, prop, value) =>
      `Expected ${input} to be returned for the "${prop}" from the ` +
      `"${name}" function but got ${determineSpecificType(value)}.`,
  ],
  ERR_INVALID_RETURN_VALUE: ["TypeError", invalidReturnValue],
  ERR_INVALID_STATE: ["Error", "Invalid state: %s"],
  ERR_INVALID_STATE_TYPE: [
    "TypeError",
    (text) => `Invalid state: ${text}`,
    (err) => {
      err.code = "ERR_INVALID_STATE";
    },
  ],
  ERR_INVALID_SYNC_FORK_INPUT: [
    "TypeError",
    "Asynchronous forks do not support Buffer, TypedArray, DataView or string input: %s",
  ],
  ERR_INVALID_THIS: ["TypeError", notInstance],
  ERR_INVALID_TUPLE: ["TypeError", "%s must be an iterable %s tuple"],
  ERR_INVALID_URI: ["URIError", "URI malformed"],
  ERR_INVALID_URL: [
    "TypeError",
    () => "Invalid URL",
    (err, args) => {
      err.input = args[0];
      if (args[1] !== undefined) err.base = args[1];
    },
  ],
  ERR_INVALID_URL_SCHEME: [
    "TypeError",
    (expected) =>
      `The URL must be of scheme ${formatList([expected].flat().map(String), "or")}`,
  ],
  ERR_IP_BLOCKED: ["Error", "IP(%s) is blocked by net.BlockList"],
  ERR_IPC_CHANNEL_CLOSED: ["Error", "Channel closed"],
  ERR_IPC_DISCONNECTED: ["Error", "IPC channel is already disconnected"],
  ERR_IPC_ONE_PIPE: ["Error", "Child process can have only one IPC pipe"],
  ERR_IPC_SYNC_FORK: ["Error", "IPC cannot be used with synchronous forks"],
  ERR_METHOD_NOT_IMPLEMENTED: ["Error", "The %s method is not implemented"],
  ERR_MISSING_ARGS: ["TypeError", missingArgs],
  ERR_MISSING_OPTION: ["TypeError", "%s is required"],
  ERR_MISSING_PASSPHRASE: ["TypeError", "Passphrase required for encrypted key"],
  ERR_MODULE_NOT_FOUND: [
    "Error",
    (path, base, type = "package") => `Cannot find ${type} '${path}' imported from ${base}`,
  ],
  ERR_MULTIPLE_CALLBACK: ["Error", "Callback called multiple times"],
  ERR_NAPI_CONS_FUNCTION: ["TypeError", "Constructor must be a function"],
  ERR_NO_CRYPTO: ["Error", "Node.js is not compiled with OpenSSL crypto support"],
  ERR_OPERATION_FAILED: ["Error", "Operation failed: %s"],
  ERR_OUT_OF_RANGE: ["RangeError", outOfRange],
  ERR_PACKAGE_PATH_NOT_EXPORTED: [
    "Error",
    (pkgPath, subpath, base) =>
      (subpath === "."
        ? `No "exports" main defined in ${pkgPath}package.json`
        : `Package subpath '${subpath}' is not defined by "exports" in ` +
         `${pkgPath}package.json`) +
      (base ? ` imported from ${base}` : ""),
  ],
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: ["TypeError", "%s"],
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: [
    "TypeError",
    (argument) =>
      `Unexpected argument '${argument}'. This command does not take positional arguments`,
  ],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [
    "TypeError",
    (option, allowsPositionals) =>
      `Unknown option '${option}'` +
      (allowsPositionals
        ? ". To specify a positional argument starting with a '-', place it at the end of the " +
          `command after '--', as in '-- ${JSON.stringify(option)}`
        : ""),
  ],
  ERR_MODULE_LINK_MISMATCH: ["TypeError", "%s"],
  ERR_PERFORMANCE_INVALID_TIMESTAMP: ["TypeError", "%s is not a valid timestamp"],
  ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS: ["TypeError", "%s"],
  ERR_REQUIRE_ASYNC_MODULE: [
    "Error",
    "require() cannot be used on an ESM graph with top-level await. Use import() instead.",
  ],
  ERR_SCRIPT_EXECUTION_INTERRUPTED: ["Error", "Script execution was interrupted by `SIGINT`"],
  ERR_SCRIPT_EXECUTION_TIMEOUT: ["Error", "Script execution timed out after %sms"],
  ERR_SERVER_ALREADY_LISTEN: [
    "Error", "Listen method has been called more than once without closing.",
  ],
  ERR_SERVER_NOT_RUNNING: ["Error", "Server is not running."],
  ERR_SOCKET_ALREADY_BOUND: ["Error", "Socket is already bound"],
  ERR_SOCKET_BAD_BUFFER_SIZE: ["TypeError", "Buffer size must be a positive integer"],
  ERR_SOCKET_BAD_PORT: [
    "RangeError",
    (name, port, allowZero = true) =>
      `${name} should be ${allowZero ? ">=" : ">"} 0 and < 65536. ` +
      `Received ${determineSpecificType(port)}.`,
  ],
  ERR_SOCKET_BAD_TYPE: ["TypeError", "Bad socket type specified. Valid types are: udp4, udp6"],
  ERR_SOCKET_BUFFER_SIZE: ["Error", "Could not get or set buffer size"],
  ERR_SOCKET_CLOSED: ["Error", "Socket is closed"],
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: [
    "Error", "Socket closed before the connection was established",
  ],
  ERR_SOCKET_CONNECTION_TIMEOUT: ["Error", "Socket connection timeout"],
  ERR_SOCKET_DGRAM_IS_CONNECTED: ["Error", "Already connected"],
  ERR_SOCKET_DGRAM_NOT_CONNECTED: ["Error", "Not connected"],
  ERR_SOCKET_DGRAM_NOT_RUNNING: ["Error", "Not running"],
  ERR_STREAM_ALREADY_FINISHED: ["Error", "Cannot call %s after a stream was finished"],
  ERR_STREAM_CANNOT_PIPE: ["Error", "Cannot pipe, not readable"],
  ERR_STREAM_DESTROYED: ["Error", "Cannot call %s after a stream was destroyed"],
  ERR_STREAM_NULL_VALUES: ["TypeError", "May not write null values to stream"],
  ERR_STREAM_PREMATURE_CLOSE: ["Error", "Premature close"],
  ERR_STREAM_PUSH_AFTER_EOF: ["Error", "stream.push() after EOF"],
  ERR_STREAM_UNABLE_TO_PIPE: ["Error", "Cannot pipe to a closed or destroyed stream"],
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT: ["Error", "stream.unshift() after end event"],
  ERR_STREAM_WRAP: ["Error", "Stream has StringDecoder set or is in objectMode"],
  ERR_STREAM_WRITE_AFTER_END: ["Error", "write after end"],
  ERR_STRING_TOO_LONG: ["Error", "Cannot create a string longer than 0x%s characters"],
  ERR_TEST_FAILURE: [
    "Error",
    (error) => `${error?.message ?? error}`,
    (err, { 0: error, 1: failureType }) => {
      Object.assign(err, { failureType, cause: error });
    },
  ],
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [
    "TypeError",
    (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered ` +
      `protocols (${protocols.join(", ")})`,
  ],
  ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS: [
    "TypeError", "The ALPNCallback and ALPNProtocols TLS options are mutually exclusive",
  ],
  ERR_TLS_CERT_ALTNAME_FORMAT: ["SyntaxError", "Invalid subject alternative name string"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "Error",
    (reason) => `Hostname/IP does not match certificate's altnames: ${reason}`,
    (err, args) => {
      err.reason = args[0];
      err.host = args[1];
      err.cert = args[2];
    },
  ],
  ERR_TLS_HANDSHAKE_TIMEOUT: ["Error", "TLS handshake timeout"],
  ERR_TLS_INVALID_CONTEXT: ["TypeError", "%s must be a SecureContext"],
  ERR_TLS_INVALID_PROTOCOL_METHOD: ["TypeError", "%s"],
  ERR_TLS_INVALID_PROTOCOL_VERSION: [
    "TypeError", (value, option) => `${show(value)} is not a valid ${option} TLS protocol version`,
  ],
  ERR_TLS_INVALID_STATE: [
    "Error", "TLS socket connection must be securely established",
  ],
  ERR_TLS_PROTOCOL_VERSION_CONFLICT: [
    "TypeError",
    (prefix, value) =>
      `TLS protocol version ${show(prefix)} conflicts with secureProtocol ${show(value)}`,
  ],
  ERR_TLS_REQUIRED_SERVER_NAME: [
    "Error", '"servername" is required parameter for Server.addContext',
  ],
  ERR_TLS_SNI_FROM_SERVER: ["Error", "Cannot issue SNI from a TLS server-side socket"],
  ERR_TRACE_EVENTS_UNAVAILABLE: ["Error", "Trace events are unavailable"],
  ERR_TRAILING_JUNK_AFTER_STREAM_END: [
    "TypeError", "Trailing junk found after the end of the compressed stream",
  ],
  ERR_TTY_INIT_FAILED: ["Error", "TTY initialization failed"],
  ERR_UNAVAILABLE_DURING_EXIT: [
    "Error", "Cannot call function in process exit handler",
  ],
  ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET: [
    "Error",
    "`process.setupUncaughtExceptionCapture()` was called while a capture callback was " +
      "already active",
  ],
  ERR_UNESCAPED_CHARACTERS: ["TypeError", "%s contains unescaped characters"],
  ERR_UNHANDLED_ERROR: [
    "Error",
    (context) => (context === undefined ? "Unhandled error." : `Unhandled error. (${context})`),
    (err, args) => {
      err.context = args[1] === undefined ? args[0] : args[1];
    },
  ],
  ERR_UNKNOWN_BUILTIN_MODULE: ["Error", "No such built-in module: %s"],
  ERR_UNKNOWN_CREDENTIAL: ["Error", "%s identifier does not exist: %s"],
  ERR_UNKNOWN_ENCODING: ["TypeError", "Unknown encoding: %s"],
  ERR_UNKNOWN_FILE_EXTENSION: ["TypeError", 'Unknown file extension "%s" for %s'],
  ERR_UNKNOWN_SIGNAL: [
    "TypeError",
    (signal, suggestUpper) =>
      `Unknown signal: ${signal}` +
      (suggestUpper ? " (signals must use all capital letters)" : ""),
  ],
  ERR_UNSUPPORTED_DIR_IMPORT: [
    "Error", "Directory import '%s' is not supported resolving ES modules imported from %s",
  ],
  ERR_USE_AFTER_CLOSE: ["Error", "%s was closed"],
  ERR_VALID_PERFORMANCE_ENTRY_TYPE: [
    "Error", "At least one valid performance entry type is required",
  ],
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING: [
    "TypeError", "A dynamic import callback was not specified.",
  ],
  ERR_VM_MODULE_ALREADY_LINKED: ["Error", "Module has already been linked"],
  ERR_VM_MODULE_CACHED_DATA_REJECTED: ["Error", "cachedData buffer was rejected"],
  ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA: [
    "Error", "Cached data cannot be created for a module which has been evaluated",
  ],
  ERR_VM_MODULE_DIFFERENT_CONTEXT: [
    "Error", "Linked modules must use the same context",
  ],
  ERR_VM_MODULE_LINK_FAILURE: [
    "Error",
    (message) => message,
    (err, { 1: options }) => {
      if (options !== undefined) {
        Object.defineProperty(err, "cause", {
          value: options.cause, writable: true, configurable: true, enumerable: false,
        });
      }
    },
  ],
  ERR_VM_MODULE_NOT_MODULE: ["Error", "Provided module is not an instance of Module"],
  ERR_VM_MODULE_STATUS: ["Error", "Module status %s"],
  ERR_WORKER_MESSAGING_ERRORED: [
    "Error", "The destination thread threw an error while processing the message",
  ],
  ERR_WORKER_MESSAGING_FAILED: ["Error", "Cannot find the destination thread or listener"],
  ERR_WORKER_MESSAGING_SAME_THREAD: ["Error", "Cannot sent a message to the same thread"],
  ERR_WORKER_MESSAGING_TIMEOUT: ["Error", "Sending a message to another thread timed out"],
  ERR_WORKER_NOT_RUNNING: ["Error", "Worker instance not running"],
  ERR_WORKER_OUT_OF_MEMORY: [
    "Error", "Worker terminated due to reaching memory limit: JS heap out of memory",
  ],
  ERR_WORKER_PATH: [
    "TypeError",
    (name) =>
      "The worker script or module filename must be an absolute path or a relative path " +
      "starting with './' or '../'." +
      (name.startsWith("file://") ? " Wrap file:// URLs with `new URL`." : "") +
      (name.startsWith("data:text/javascript") ? " Wrap data: URLs with `new URL`." : "") +
      ` Received "${name}"`,
  ],
  ERR_WORKER_UNSUPPORTED_OPERATION: ["TypeError", "%s is not supported in workers"],
  ERR_ZLIB_INITIALIZATION_FAILED: ["Error", "Initialization failed"],
  ERR_ZSTD_INVALID_PARAM: ["RangeError", "%s is not a valid zstd parameter"],
};
