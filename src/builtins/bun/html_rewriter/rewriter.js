// @internal
// bun:html_rewriter/rewriter -- one document on its way through the handlers.
//
// `write` and `end` are generators: they give the promises of handlers, and go on when these are
// settled.  Output collects in `take()`.
const { Tokenizer } = require("bun:html_rewriter/tokenizer");
const { step } = require("bun:html_rewriter/selector");
const { failure } = require("bun:html_rewriter/failure");
const tokens = require("bun:html_rewriter/tokens");

const DEPTH_MAX = 1 << 16;
const VOID = new Set([
  "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
  "track", "wbr",
]);
const HTML = "http://www.w3.org/1999/xhtml";
const FOREIGN = {
  __proto__: null, svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML",
};
/** Elements of SVG and MathML in which HTML goes on. */
const INTEGRATION = new Set([
  "foreignobject", "desc", "annotation-xml", "mi", "mo", "mn", "ms", "mtext",
]);

/** What selectors see of an element. */
class Subject {
  constructor(token, index, typeIndex) {
    this.name = token.name;
    this.token = token;
    this.index = index;
    this.typeIndex = typeIndex;
  }

  attribute(name) {
    return this.token.attributes.find((attribute) => attribute.name === name)?.value;
  }
}

class Rewriter {
  #tokenizer = new Tokenizer();
  #handlers; // { selector (undefined: the document), element, text, comments, doctype, end }
  #stack = []; // open elements
  #open = new Map(); // how many of each name are on it
  #active; // for each handler: how many open elements it has matched
  #listeners = {}; // indices of handlers for text, comments, doctype
  #root = { nChildren: 0, types: undefined, states: [] };
  #countsTypes; // only some selectors want to know
  #hidden = 0; // open elements whose content is dropped
  #carried = ""; // what goes behind the end tag of an element around
  #output = "";

  constructor(handlers) {
    this.#handlers = handlers;
    this.#active = new Int32Array(handlers.length);
    this.#countsTypes = handlers.some(({ countsTypes }) => countsTypes);
    for (const kind of ["text", "comments", "doctype"]) {
      this.#listeners[kind] = [...handlers.keys()].filter((i) => handlers[i][kind] !== undefined);
    }
  }

  /** The output since the last time. */
  take() {
    const text = this.#output;
    this.#output = "";
    return text;
  }

  *write(chunk, isEnd = false) {
    this.#tokenizer.feed(chunk, isEnd);
    for (;;) {
      const token = this.#tokenizer.next(this.#isForeign());
      if (token === undefined) break;
      const steps = this.#token(token);
      if (steps !== undefined) yield* steps;
    }
    if (!isEnd) return;
    const change = new tokens.Change();
    const end = new tokens.DocumentEnd({ change });
    for (const { selector, end: run } of this.#handlers) {
      if (selector === undefined && run !== undefined) yield* this.#call(run, end);
    }
    tokens.release(end);
    this.#output += change.before;
  }

  #isForeign() {
    const top = this.#stack.at(-1);
    return top !== undefined && top.namespace !== HTML && !INTEGRATION.has(top.name);
  }

  #emit(text) {
    if (this.#hidden === 0) this.#output += text;
  }

  *#call(run, argument) {
    const result = run(argument);
    if (typeof result?.then === "function") yield result;
  }

  /** What is to be done about a token: undefined when it is done, else steps to be run. */
  #token(token) {
    switch (token.type) {
      case "start":
        return this.#start(token);
      case "end":
        return this.#end(token);
      case "text":
        if (this.#listeners.text.length > 0) return this.#leaf(token, "text", tokens.TextChunk);
        break;
      case "comment":
        if (this.#listeners.comments.length === 0) break;
        return this.#leaf(token, "comments", tokens.Comment);
      case "doctype":
        if (this.#listeners.doctype.length > 0) return this.#leaf(token, "doctype", tokens.Doctype);
    }
    this.#emit(token.raw);
    return undefined;
  }

  /** Text, comment, doctype. */
  *#leaf(token, kind, Class) {
    let state;
    let shown;
    for (const i of this.#listeners[kind]) {
      const handler = this.#handlers[i];
      if (handler.selector !== undefined && this.#active[i] === 0) continue;
      state ??= { token, change: new tokens.Change(), text: undefined };
      shown ??= new Class(state);
      yield* this.#call(handler[kind], shown);
    }
    if (state === undefined) {
      this.#emit(token.raw);
      return;
    }
    tokens.release(shown);
    this.#emit(state.change.apply(state.text === undefined ? token.raw : `<!--${state.text}-->`));
  }

  // ---- Elements

  #namespaceOf(name) {
    const top = this.#stack.at(-1);
    const inherited = top === undefined || INTEGRATION.has(top.name) ? HTML : top.namespace;
    return inherited === HTML ? (FOREIGN[name] ?? HTML) : inherited;
  }

  /** { subject, states, matched } of a start tag below the innermost open element. */
  #match(token) {
    const parent = this.#stack.at(-1) ?? this.#root;
    let nth = 0;
    if (this.#countsTypes) {
      parent.types ??= new Map();
      nth = (parent.types.get(token.name) ?? 0) + 1;
      parent.types.set(token.name, nth);
    }
    const subject = new Subject(token, ++parent.nChildren, nth);
    const states = [];
    const matched = [];
    for (let i = 0; i < this.#handlers.length; i++) {
      const { selector } = this.#handlers[i];
      if (selector === undefined) continue;
      if (this.#matches(selector, i, subject, parent, states)) matched.push(i);
    }
    return { states, matched };
  }

  #matches(selector, i, subject, parent, states) {
    let isMatch = false;
    for (let k = 0; k < selector.length; k++) {
      const compounds = selector[k];
      if (compounds.length === 1) {
        isMatch ||= compounds[0].tests.every((test) => test(subject));
        continue;
      }
      const state = step(compounds, subject, parent.states[i]?.[k]);
      (states[i] ??= [])[k] = state;
      isMatch ||= state.here[compounds.length - 1] === 1;
    }
    return isMatch;
  }

  #start(token) {
    const namespace = this.#namespaceOf(token.name);
    const isVoid = namespace === HTML ? VOID.has(token.name) : token.selfClosing;
    const { states, matched } = this.#match(token);
    const open = {
      name: token.name, namespace, state: undefined, states, matched, nChildren: 0,
      types: undefined,
    };
    if (matched.some((i) => this.#handlers[i].element !== undefined)) {
      return this.#change(token, open, isVoid);
    }
    this.#emit(token.raw);
    if (!isVoid) this.#push(open);
    return undefined;
  }

  *#change(token, open, isVoid) {
    const state = {
      token, namespace: open.namespace, name: token.name, attributes: token.attributes,
      isChanged: false, change: new tokens.Change(), canHaveContent: !isVoid, keepsContent: true,
      prepended: "", appended: "", onEndTag: undefined,
    };
    open.state = state;
    yield* this.#runElement(state, open.matched);
    const { change } = state;
    const tag = change.removed ? (change.replacement ?? "") : tokens.startTagOf(state);
    this.#emit(change.before + tag + (isVoid ? change.after : state.prepended));
    if (isVoid) return;
    this.#push(open);
    if (!state.keepsContent) this.#hidden++;
  }

  #push(open) {
    const { name } = open;
    if (this.#stack.length >= DEPTH_MAX) throw failure("The document is nested too deeply.");
    for (const i of open.matched) this.#active[i]++;
    this.#stack.push(open);
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    if (open.namespace === HTML) this.#tokenizer.startElement(name);
  }

  #pop() {
    const open = this.#stack.pop();
    this.#open.set(open.name, this.#open.get(open.name) - 1);
    for (const i of open.matched) this.#active[i]--;
    if (open.state?.keepsContent === false) this.#hidden--;
    return open;
  }

  *#runElement(state, matched) {
    let element;
    for (const i of matched) {
      const { element: run } = this.#handlers[i];
      if (run === undefined) continue;
      element ??= new tokens.Element(state);
      yield* this.#call(run, element);
    }
    if (element !== undefined) tokens.release(element);
  }

  #end(token) {
    if (!(this.#open.get(token.name) > 0)) {
      this.#emit(token.raw);
      return undefined;
    }
    const top = this.#stack.at(-1);
    if (top.name !== token.name || top.state !== undefined) return this.#closeUpTo(token);
    this.#pop();
    this.#emit(token.raw);
    return undefined;
  }

  *#closeUpTo(token) {
    let isFirst = true;
    for (;;) {
      const { name, state } = this.#pop();
      const isLast = name === token.name;
      if (state !== undefined) yield* this.#close(state, token, isLast, isFirst);
      else if (isLast) this.#emit(token.raw + this.#takeCarried());
      if (isLast) return;
      isFirst = false;
    }
  }

  /**
   * The end of an element.  `isOwn`: the tag is its own and not one that ends it along with others;
   * what is then appended is only that of the innermost.
   */
  *#close(state, token, isOwn, isFirst) {
    const { change } = state;
    const endState = { change: new tokens.Change(), name: token.name, isChanged: false };
    if (isOwn && state.name !== state.token.name) {
      endState.name = state.name;
      endState.isChanged = true;
    }
    if (state.onEndTag !== undefined) {
      const tag = new tokens.EndTag(endState);
      yield* this.#call(state.onEndTag, tag);
      tokens.release(tag);
    }
    if (!isOwn) {
      if (!isFirst) return;
      this.#emit(state.appended);
      this.#carried = change.after;
      return;
    }
    endState.change.removed ||= change.removed;
    const raw = endState.isChanged ? `</${endState.name}>` : token.raw;
    const tag = state.appended + endState.change.apply(raw);
    this.#emit(tag + this.#takeCarried() + change.after);
  }

  #takeCarried() {
    const text = this.#carried;
    this.#carried = "";
    return text;
  }
}

exports.Rewriter = Rewriter;
