// @internal
// bun:html_rewriter/tokens -- what handlers get: Element, EndTag, TextChunk, Comment, Doctype,
// DocumentEnd.  They are good for as long as the handler runs; after that they say null and do
// nothing.
const { failure } = require("bun:html_rewriter/failure");

const escapeText = (text) =>
  text.replace(/[&<>]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&gt;"));
const contentOf = (content, options) =>
  options?.html ? `${content}` : escapeText(`${content}`);

const BAD_TAG = /[\s/>\0]/;
const BAD_ATTRIBUTE = /[\s/>=\0]/;

/**
 * What handlers change: `before`, `after` (the texts around), `replacement` (undefined: none),
 * `removed`.
 */
class Change {
  before = "";
  after = "";
  replacement = undefined;
  removed = false;

  /** The output for something that was `raw`. */
  apply(raw) {
    return this.before + (this.removed ? (this.replacement ?? "") : raw) + this.after;
  }
}

class Token {
  #state; // { change, ... }; undefined once the handler is done

  constructor(state) {
    this.#state = state;
  }

  static stateOf(token) {
    return token.#state;
  }

  static release(token) {
    token.#state = undefined;
  }
}
const { release, stateOf } = Token;

/** Defines before, after and so on; whoever has no such place leaves it out. */
function define(Class, methods, getters = {}) {
  for (const [name, run] of Object.entries(methods)) {
    const fn = {
      [name](...args) {
        const state = stateOf(this);
        if (state === undefined) return undefined;
        const result = run(state, ...args);
        return result === undefined ? this : result;
      },
    }[name];
    Object.defineProperty(Class.prototype, name, { value: fn, writable: true, configurable: true });
  }
  for (const [name, accessor] of Object.entries(getters)) {
    const { get, set } = typeof accessor === "function" ? { get: accessor } : accessor;
    Object.defineProperty(Class.prototype, name, {
      get() {
        const state = stateOf(this);
        return state === undefined ? null : get(state);
      },
      set: set && function (value) {
        const state = stateOf(this);
        if (state !== undefined) set(state, value);
      },
      configurable: true,
      enumerable: true,
    });
  }
}

const around = {
  before({ change }, content, options) {
    change.before += contentOf(content, options);
  },
  after({ change }, content, options) {
    change.after = contentOf(content, options) + change.after;
  },
  remove({ change }) {
    change.removed = true;
  },
};
const replaceable = {
  ...around,
  replace({ change }, content, options) {
    change.removed = true;
    change.replacement = contentOf(content, options);
  },
};
const removed = { removed: ({ change }) => change.removed };

class TextChunk extends Token {}
define(TextChunk, replaceable, {
  text: ({ token }) => token.text,
  lastInTextNode: ({ token }) => token.isLast,
  ...removed,
});

class Comment extends Token {}
define(Comment, replaceable, {
  text: {
    get: (state) => state.text ?? state.token.text,
    set(state, value) {
      const text = `${value}`;
      if (/--!?>/.test(text)) {
        throw failure("Comment text shouldn't contain comment closing sequence (`-->`).");
      }
      state.text = text;
    },
  },
  ...removed,
});

class Doctype extends Token {}
define(Doctype, { remove: around.remove }, {
  name: ({ token }) => token.name,
  publicId: ({ token }) => token.publicId,
  systemId: ({ token }) => token.systemId,
  ...removed,
});

class DocumentEnd extends Token {}
define(DocumentEnd, {
  append({ change }, content, options) {
    change.before += contentOf(content, options);
  },
});

class EndTag extends Token {}
define(EndTag, around, {
  name: {
    get: (state) => state.name,
    set(state, value) {
      state.name = checkName(`${value}`);
      state.isChanged = true;
    },
  },
});

function checkName(name) {
  if (name === "") throw failure("Tag name can't be empty.");
  const bad = BAD_TAG.exec(name);
  if (bad !== null) throw failure(`\`${bad[0]}\` character is forbidden in the tag name`);
  if (!/^[A-Za-z]/.test(name)) {
    throw failure("The first character of the tag name should be a letter");
  }
  return name;
}

function checkAttribute(name) {
  if (name === "") throw failure("Attribute name can't be empty.");
  const bad = BAD_ATTRIBUTE.exec(name);
  if (bad !== null) throw failure(`\`${bad[0]}\` character is forbidden in the attribute name`);
  return name.toLowerCase();
}

const find = (state, name) => {
  const lower = `${name}`.toLowerCase();
  return state.attributes.find((attribute) => attribute.name === lower);
};

class Element extends Token {}
define(
  Element,
  {
    ...around,
    replace(state, content, options) {
      replaceable.replace(state, content, options);
      state.keepsContent = false;
    },
    remove(state) {
      state.change.removed = true;
      state.keepsContent = false;
    },
    removeAndKeepContent(state) {
      state.change.removed = true;
    },
    prepend(state, content, options) {
      if (state.canHaveContent) state.prepended = contentOf(content, options) + state.prepended;
    },
    append(state, content, options) {
      if (state.canHaveContent) state.appended += contentOf(content, options);
    },
    setInnerContent(state, content, options) {
      if (!state.canHaveContent) return;
      state.prepended = contentOf(content, options);
      state.appended = "";
      state.keepsContent = false;
    },
    getAttribute: (state, name) => find(state, name)?.value ?? null,
    hasAttribute: (state, name) => find(state, name) !== undefined,
    setAttribute(state, name, value) {
      const lower = checkAttribute(`${name}`);
      const text = `${value}`;
      const raw = `${lower}="${text.replaceAll('"', "&quot;")}"`;
      const found = find(state, lower);
      if (found !== undefined) Object.assign(found, { value: text, raw });
      else state.attributes.push({ name: lower, value: text, raw });
      state.isChanged = true;
    },
    removeAttribute(state, name) {
      const lower = `${name}`.toLowerCase();
      const kept = state.attributes.filter((attribute) => attribute.name !== lower);
      if (kept.length === state.attributes.length) return;
      state.attributes = kept;
      state.isChanged = true;
    },
    onEndTag(state, handler) {
      if (typeof handler !== "function") {
        const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
        throw new ERR_INVALID_ARG_TYPE("handler", "Function", handler);
      }
      if (!state.canHaveContent) throw failure("No end tag.");
      state.onEndTag = handler;
    },
  },
  {
    tagName: {
      get: (state) => state.name,
      set(state, value) {
        state.name = checkName(`${value}`);
        state.isChanged = true;
      },
    },
    attributes: (state) => state.attributes.map(({ name, value }) => [name, value]).values(),
    namespaceURI: (state) => state.namespace,
    selfClosing: ({ token }) => token.selfClosing,
    canHaveContent: (state) => state.canHaveContent,
    ...removed,
  },
);

/** The start tag as it is now. */
exports.startTagOf = function startTagOf(state) {
  if (!state.isChanged) return state.token.raw;
  const { rawName, name, selfClosing } = state.token;
  const shown = state.name === name ? rawName : state.name;
  const attributes = state.attributes.map(({ raw }) => ` ${raw}`).join("");
  return `<${shown}${attributes}${selfClosing ? " />" : ">"}`;
};

Object.assign(exports, {
  Change, Comment, Doctype, DocumentEnd, Element, EndTag, TextChunk, release,
});
