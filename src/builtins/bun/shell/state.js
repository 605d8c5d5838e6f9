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

class State {
  constructor({ env, cwd, positional, name }) {
    /** name -> { value, exported } */
    this.vars = new Map();
    for (const key in env) {
      if (env[key] !== undefined) this.vars.set(key, { value: `${env[key]}`, exported: true });
    }
    this.cwd = cwd;
    this.name = name; // $0
    this.positional = positional;
    this.functions = new Map();
    this.options = { errexit: false, nounset: false, pipefail: false, xtrace: false };
    this.status = 0;
    this.depth = 0; // of functions, sourced files, substitutions
    this.substituted = undefined; // status of the last command substitution of this command
    this.locals = undefined; // in functions: what to put back, name -> variable or undefined
    this.pairs = undefined;
  }

  /** For a subshell. */
  clone() {
    const copy = Object.create(State.prototype);
    Object.assign(copy, this);
    copy.vars = new Map();
    for (const [name, variable] of this.vars) copy.vars.set(name, { ...variable });
    copy.functions = new Map(this.functions);
    copy.options = { ...this.options };
    copy.positional = [...this.positional];
    copy.depth = this.depth + 1;
    return copy;
  }

  get(name) {
    return this.vars.get(name)?.value;
  }

  set(name, value) {
    const variable = this.vars.get(name);
    if (variable === undefined) {
      this.vars.set(name, { value, exported: false });
      return;
    }
    variable.value = value;
    if (variable.exported) this.pairs = undefined;
  }

  /** Marks for children; `value` undefined keeps what it has. */
  export(name, value) {
    this.pairs = undefined;
    const variable = this.vars.get(name);
    if (variable === undefined) {
      this.vars.set(name, { value: value ?? "", exported: true });
      return;
    }
    variable.exported = true;
    if (value !== undefined) variable.value = value;
  }

  unset(name) {
    this.pairs = undefined;
    this.vars.delete(name);
  }

  /** ["NAME=value"] of what is exported. */
  envPairs() {
    if (this.pairs !== undefined) return this.pairs;
    const pairs = [];
    for (const [name, variable] of this.vars) {
      if (variable.exported) pairs.push(`${name}=${variable.value}`);
    }
    this.pairs = pairs;
    return pairs;
  }

  /** A path of a command as an absolute one. */
  resolve(path) {
    return path[0] === "/" ? path : this.cwd === "/" ? `/${path}` : `${this.cwd}/${path}`;
  }
}

exports.State = State;
exports.Jump = Jump;
exports.CommandError = CommandError;
