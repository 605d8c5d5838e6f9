// @internal
// bun:shell/state -- what a shell remembers: variables, folder, positional parameters, functions.

/** Thrown by exit, return, break and continue; caught by what they leave. */
class Jump {
  constructor(kind, value) {
    this.kind = kind;
    this.value = value;
  }
}

/** An error that ends one command with a message on its stderr and a status. */
class CommandError extends Error {
  constructor(message, status = 1) {
    super(message);
    this.status = status;
  }
}

/** What a shell begins with: { values: Map, pairs: ["NAME=value"] }.  Shared, never changed. */
let lastBase = { values: new Map(), pairs: [] };

function baseOf(env) {
  const known = require("internal/process_env").pairsOf(env);
  if (known !== undefined && known === lastBase.pairs) return lastBase;
  const values = new Map();
  for (const key in env) if (env[key] !== undefined) values.set(key, `${env[key]}`);
  const pairs = known ?? Array.from(values, ([name, value]) => `${name}=${value}`);
  const base = { values, pairs };
  if (known !== undefined) lastBase = base;
  return base;
}

class State {
  #base;
  #pairs;

  constructor({ env, cwd, positional, name }) {
    this.#base = baseOf(env);
    this.#pairs = this.#base.pairs;
    /** What differs from the base: name -> { value, exported }; without value: it is gone. */
    this.vars = new Map();
    this.cwd = cwd;
    this.name = name; // $0
    this.positional = positional;
    this.functions = new Map();
    this.options = { errexit: false, nounset: false, pipefail: false, xtrace: false };
    this.status = 0;
    this.depth = 0; // of functions, sourced files, substitutions
    this.substituted = undefined; // status of the last command substitution of this command
    this.locals = undefined; // in functions: what to put back, name -> variable or undefined
    if (this.get("PWD") !== cwd) this.set("PWD", cwd);
  }

  /** For a subshell. */
  clone() {
    const { cwd, positional, name } = this;
    const copy = new State({ env: undefined, cwd, positional: [...positional], name });
    copy.#base = this.#base;
    copy.#pairs = this.#pairs;
    copy.vars = new Map();
    for (const [key, variable] of this.vars) copy.vars.set(key, { ...variable });
    copy.functions = new Map(this.functions);
    copy.options = { ...this.options };
    copy.status = this.status;
    copy.depth = this.depth + 1;
    copy.locals = this.locals === undefined ? undefined : new Map();
    return copy;
  }

  get(name) {
    const variable = this.vars.get(name);
    return variable === undefined ? this.#base.values.get(name) : variable.value;
  }

  /** { value, exported } as it is now, or undefined. */
  find(name) {
    const variable = this.vars.get(name);
    if (variable !== undefined) return variable.value === undefined ? undefined : variable;
    const value = this.#base.values.get(name);
    return value === undefined ? undefined : { value, exported: true };
  }

  /** The opposite of find: puts back what it gave. */
  restore(name, variable) {
    this.#pairs = undefined;
    this.vars.set(name, variable ?? { value: undefined, exported: false });
  }

  set(name, value) {
    const exported = this.find(name)?.exported ?? false;
    this.vars.set(name, { value, exported });
    if (exported) this.#pairs = undefined;
  }

  /** Marks for children, or not; `value` undefined keeps what it has. */
  export(name, value, exported = true) {
    this.restore(name, { value: value ?? this.get(name) ?? "", exported });
  }

  unset(name) {
    this.restore(name, undefined);
  }

  /** ["NAME=value"] of what is exported.  Not to be changed. */
  envPairs() {
    if (this.#pairs !== undefined) return this.#pairs;
    const pairs = [];
    for (const [name, value] of this.#base.values) {
      if (!this.vars.has(name)) pairs.push(`${name}=${value}`);
    }
    for (const [name, variable] of this.vars) {
      if (variable.exported) pairs.push(`${name}=${variable.value}`);
    }
    this.#pairs = pairs;
    return pairs;
  }

  /** A path of a command as an absolute one. */
  resolve(path) {
    return path[0] === "/" ? path : this.cwd === "/" ? `/${path}` : `${this.cwd}/${path}`;
  }
}

/** How deep functions, subshells and substitutions go. */
exports.DEPTH_MAX = 400;
exports.State = State;
exports.Jump = Jump;
exports.CommandError = CommandError;
