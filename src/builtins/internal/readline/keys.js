// internal/readline/keys -- from what a terminal sends to keys (Node: readline.emitKeypressEvents).
//
// A key is a character or an escape sequence: ESC, then O or [, numbers with modifiers, a final
// letter or ~. xterm, rxvt, putty, cygwin and the linux console differ in the endings; kKeys has
// them all. A sequence that does not go on within the time limit is the Escape key.
const { StringDecoder } = require("node:string_decoder");
const { clearTimeout, setTimeout } = require("node:timers");
const { charLengthAt } = require("internal/readline/text");

const ESC = "\x1b";
const kTimeoutMs = 500;
const kDecoder = Symbol("keypress-decoder");
const kParser = Symbol("escape-decoder");

// [code, name, modifier]
const kRows =
  "OP f1|OQ f2|OR f3|OS f4|[P f1|[Q f2|[R f3|[S f4|[11~ f1|[12~ f2|[13~ f3|[14~ f4|" +
  "[200~ paste-start|[201~ paste-end|" +
  "[[A f1|[[B f2|[[C f3|[[D f4|[[E f5|[15~ f5|[17~ f6|[18~ f7|[19~ f8|[20~ f9|[21~ f10|" +
  "[23~ f11|[24~ f12|[A up|[B down|[C right|[D left|[E clear|[F end|[H home|OA up|OB down|" +
  "OC right|OD left|OE clear|OF end|OH home|[1~ home|[2~ insert|[3~ delete|[4~ end|[5~ pageup|" +
  "[6~ pagedown|[[5~ pageup|[[6~ pagedown|[7~ home|[8~ end|[a up shift|[b down shift|" +
  "[c right shift|[d left shift|[e clear shift|[2$ insert shift|[3$ delete shift|" +
  "[5$ pageup shift|[6$ pagedown shift|[7$ home shift|[8$ end shift|Oa up ctrl|Ob down ctrl|" +
  "Oc right ctrl|Od left ctrl|Oe clear ctrl|[2^ insert ctrl|[3^ delete ctrl|[5^ pageup ctrl|" +
  "[6^ pagedown ctrl|[7^ home ctrl|[8^ end ctrl|[Z tab shift";
const kKeys = new Map(
  kRows.split("|").map((row) => {
    const { 0: code, 1: name, 2: modifier } = row.split(" ");
    return [code, { name, modifier }];
  }),
);

const isDigit = (ch) => ch >= "0" && ch <= "9";

/** Reads what follows ESC O or ESC [ : [sequence, code, modifier]. */
function* readSequence(start, first) {
  let s = start;
  let code = first;
  let ch;
  if (first === "O") {
    let modifier = 0;
    s += ch = yield;
    if (isDigit(ch)) {
      modifier = Number(ch) - 1;
      s += ch = yield;
    }
    return [s, code + ch, modifier];
  }
  s += ch = yield;
  if (ch === "[") {
    code += ch;
    s += ch = yield;
  }
  const from = s.length - 1;
  for (let i = 0; i < 2 && isDigit(ch); i++) s += ch = yield;
  if (isDigit(ch)) s += ch = yield;
  if (ch === ";") {
    s += ch = yield;
    if (isDigit(ch)) s += yield;
  }
  return [s, ...parseCommand(code, s.slice(from))];
}

function parseCommand(code, command) {
  let match = /^(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/.exec(command);
  if (match !== null) {
    if (match[4] !== undefined) return [code + match[4], 0];
    return [code + match[1] + match[3], (match[2] ?? 1) - 1];
  }
  match = /^(?:(?:\d;)?(\d))?([A-Za-z])$/.exec(command);
  if (match !== null) return [code + match[2], (match[1] ?? 1) - 1];
  return [code + command, 0];
}

const kNamed = { __proto__: null, "\r": "return", "\n": "enter", "\b": "backspace",
  "\x7f": "backspace", [ESC]: "escape", " ": "space", "\t": "tab" };

/** Fills a key for a single character. */
function nameCharacter(key, ch, isEscaped) {
  const name = kNamed[ch];
  if (name !== undefined) {
    key.name = name;
    key.meta = isEscaped;
  } else if (!isEscaped && ch !== "" && ch <= "\x1a") {
    key.name = String.fromCharCode(ch.charCodeAt(0) + 96);
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(ch)) {
    key.name = ch.toLowerCase();
    key.shift = ch >= "A" && ch <= "Z";
    key.meta = isEscaped;
  } else if (isEscaped) {
    key.name = ch.length > 0 ? undefined : "escape";
    key.meta = true;
  }
}

function nameSequence(key, code, modifier) {
  key.ctrl = (modifier & 4) !== 0;
  key.meta = (modifier & 10) !== 0;
  key.shift = (modifier & 1) !== 0;
  key.code = code;
  const known = kKeys.get(code);
  key.name = known?.name ?? "undefined";
  if (known?.modifier !== undefined) key[known.modifier] = true;
}

/** Gets a character at a time ("" when time is over) and emits keys on the stream. */
function* parseKeys(stream) {
  while (true) {
    let ch = yield;
    let s = ch;
    const key = { sequence: null, name: undefined, ctrl: false, meta: false, shift: false };
    const isEscaped = ch === ESC;
    if (isEscaped) {
      s += ch = yield;
      if (ch === ESC) s += ch = yield;
    }
    if (isEscaped && (ch === "O" || ch === "[")) {
      const { 0: sequence, 1: code, 2: modifier } = yield* readSequence(s, ch);
      s = sequence;
      nameSequence(key, code, modifier);
    } else {
      nameCharacter(key, ch, isEscaped);
    }
    key.sequence = s;
    if (s.length !== 0 && (key.name !== undefined || isEscaped)) {
      stream.emit("keypress", isEscaped ? undefined : s, key);
    } else if (charLengthAt(s, 0) === s.length) {
      stream.emit("keypress", s, key);
    }
  }
}

function startParser(stream) {
  stream[kParser] = parseKeys(stream);
  stream[kParser].next();
}

/** Makes a stream emit 'keypress' while somebody listens. */
exports.emitKeypressEvents = function emitKeypressEvents(stream, iface = {}) {
  if (stream[kDecoder]) return;
  stream[kDecoder] = new StringDecoder("utf8");
  startParser(stream);
  let timer;
  const { escapeCodeTimeout = kTimeoutMs } = iface;

  const giveUp = () => stream[kParser].next("");

  function feed(text) {
    clearTimeout(timer);
    iface._sawKeyPress = charLengthAt(text, 0) === text.length;
    iface.isCompletionEnabled = false;
    let length = 0;
    for (const ch of text) {
      length += ch.length;
      const isLast = length === text.length;
      // Tabs that were pasted do not complete.
      if (isLast) iface.isCompletionEnabled = true;
      try {
        stream[kParser].next(ch);
      } catch (error) {
        startParser(stream);
        throw error;
      }
      if (isLast && ch === ESC) timer = setTimeout(giveUp, escapeCodeTimeout);
    }
  }

  function onData(input) {
    if (stream.listenerCount("keypress") > 0) {
      const text = stream[kDecoder].write(input);
      if (text) feed(text);
    } else {
      stream.removeListener("data", onData);
      stream.on("newListener", onNewListener);
    }
  }

  function onNewListener(name) {
    if (name !== "keypress") return;
    stream.on("data", onData);
    stream.removeListener("newListener", onNewListener);
  }

  if (stream.listenerCount("keypress") > 0) stream.on("data", onData);
  else stream.on("newListener", onNewListener);
};
