// @internal
// bun:shell/run -- the interpreter: carries out the tree that bun:shell/parse makes.
//
// `io` is an array of what the descriptors are (bun:shell/io), by number.  Whoever opens something
// closes it; what is in `io` is borrowed.  A status is a number; exit, return, break and continue
// are thrown (Jump).
const { Capture, makePipe } = require("bun:shell/io");
const { CommandError, DEPTH_MAX, Jump } = require("bun:shell/state");
const { Expander } = require("bun:shell/expand");
const { Redirection } = require("bun:shell/redirect");

const TURNS = 256; // of a loop, before the program's timers get their turn

class Interpreter {
  /** Runs a subshell to its end: `state` is its own. */
  async runSubshell(node, state, io, isChecked = false) {
    if (state.depth > DEPTH_MAX) throw new CommandError("bun: nested too deeply\n");
    try {
      return await this.run(node, state, io, isChecked);
    } catch (error) {
      if (error instanceof Jump) return error.kind === "exit" ? error.value : state.status;
      throw error;
    }
  }

  /** `isChecked`: somebody looks at the status, so that `set -e` does not. */
  async run(node, state, io, isChecked) {
    const status = await this.runNode(node, state, io, isChecked);
    state.status = status;
    return status;
  }

  runNode(node, state, io, isChecked) {
    switch (node.type) {
      case "list":
        return this.runList(node, state, io, isChecked);
      case "and":
      case "or":
        return this.runAndOr(node, state, io, isChecked);
      case "not":
        return this.runNot(node, state, io);
      case "pipe":
        return this.exitOnError(this.runPipe(node, state, io), state, isChecked);
      case "function":
        state.functions.set(node.name, node.body);
        return 0;
      case "simple": {
        const { runSimple } = require("bun:shell/command");
        return this.exitOnError(runSimple(this, node, state, io), state, isChecked);
      }
      case "subshell":
      case "test":
        return this.exitOnError(this.runCompound(node, state, io, isChecked), state, isChecked);
    }
    return this.runCompound(node, state, io, isChecked);
  }

  async exitOnError(promise, state, isChecked) {
    const status = await promise;
    if (status !== 0 && state.options.errexit && !isChecked) throw new Jump("exit", status);
    return status;
  }

  async runList(node, state, io, isChecked) {
    let status = 0;
    for (const item of node.items) status = await this.run(item, state, io, isChecked);
    return status;
  }

  async runAndOr(node, state, io, isChecked) {
    const status = await this.run(node.left, state, io, true);
    if ((status === 0) !== (node.type === "and")) return status;
    return this.run(node.right, state, io, isChecked);
  }

  async runNot(node, state, io) {
    return (await this.run(node.body, state, io, true)) === 0 ? 1 : 0;
  }

  // ---- Pipelines

  async runPipe({ stages }, state, io) {
    const running = [];
    let reader;
    for (let i = 0; i < stages.length; i++) {
      const ends = i < stages.length - 1 ? makePipe() : [undefined, undefined];
      running.push(this.runStage(stages[i], state.clone(), io, reader, ends[1]));
      reader = ends[0];
    }
    const results = await Promise.allSettled(running);
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const statuses = results.map((result) => result.value);
    if (!state.options.pipefail) return statuses.at(-1);
    return statuses.findLast((status) => status !== 0) ?? 0;
  }

  async runStage(node, state, io, reader, writer) {
    const own = [...io];
    if (reader !== undefined) own[0] = reader;
    if (writer !== undefined) own[1] = writer;
    try {
      return await this.reported(own, () => this.runSubshell(node, state, own, true));
    } finally {
      reader?.close();
      writer?.close();
    }
  }

  /** Runs what may throw a CommandError, which is told on stderr. */
  async reported(io, run) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.message !== "") await io[2]?.write(error.message);
      return error.status;
    }
  }

  // ---- Expansion

  expander(state, io) {
    return new Expander(state, (body) => this.substitute(body, state, io));
  }

  /** What the commands of $(...) print. */
  async substitute(body, state, io) {
    const capture = new Capture(0);
    const own = [...io];
    own[1] = capture;
    const status = await this.reported(own, () => this.runSubshell(body, state.clone(), own, true));
    state.substituted = status;
    return capture.bytes().toString();
  }

  // ---- Compound commands

  async runCompound(node, state, io, isChecked) {
    if (!(node.redirects?.length > 0)) return this.runBare(node, state, io, isChecked);
    return this.reported(io, async () => {
      const redirection = new Redirection(io);
      try {
        const expander = this.expander(state, io);
        for (const each of node.redirects) await redirection.add(each, expander, state, node.type);
        return await this.runBare(node, state, redirection.io, isChecked);
      } finally {
        redirection.close();
      }
    });
  }

  runBare(node, state, io, isChecked) {
    switch (node.type) {
      case "subshell":
        return this.reported(io, () => this.runSubshell(node.body, state.clone(), io, isChecked));
      case "group":
        return this.run(node.body, state, io, isChecked);
      case "if":
        return this.runIf(node, state, io, isChecked);
      case "while":
        return this.runWhile(node, state, io, isChecked);
      case "for":
        return this.reported(io, () => this.runFor(node, state, io, isChecked));
      case "case":
        return this.reported(io, () => this.runCase(node, state, io, isChecked));
      case "test":
        return this.reported(io, () => this.runTest(node, state, io));
    }
    throw new Error(`unknown command: ${node.type}`);
  }

  async runIf(node, state, io, isChecked) {
    for (const { cond, body } of node.clauses) {
      if ((await this.run(cond, state, io, true)) === 0) {
        return this.run(body, state, io, isChecked);
      }
    }
    return node.otherwise === null ? 0 : this.run(node.otherwise, state, io, isChecked);
  }

  async runTest(node, state, io) {
    const { evaluateTest } = require("bun:shell/test");
    return (await evaluateTest(node.expr, this.expander(state, io), state)) ? 0 : 1;
  }

  /** One turn of a loop; false: it is over. */
  async turn(body, state, io, isChecked, loop) {
    if (++loop.turns % TURNS === 0) await new Promise((resolve) => setImmediate(resolve));
    try {
      loop.status = await this.run(body, state, io, isChecked);
      return true;
    } catch (error) {
      if (!(error instanceof Jump) || !["break", "continue"].includes(error.kind)) throw error;
      if (error.value > 1) throw new Jump(error.kind, error.value - 1);
      loop.status = 0;
      return error.kind === "continue";
    }
  }

  async runWhile(node, state, io, isChecked) {
    const loop = { turns: 0, status: 0 };
    for (;;) {
      const isTrue = (await this.run(node.cond, state, io, true)) === 0;
      if (isTrue === node.isUntil) return loop.status;
      if (!(await this.turn(node.body, state, io, isChecked, loop))) return loop.status;
    }
  }

  async runFor(node, state, io, isChecked) {
    const loop = { turns: 0, status: 0 };
    const values =
      node.words === null
        ? [...state.positional]
        : await this.expander(state, io).allFields(node.words);
    for (const value of values) {
      state.set(node.name, value);
      if (!(await this.turn(node.body, state, io, isChecked, loop))) break;
    }
    return loop.status;
  }

  async runCase(node, state, io, isChecked) {
    const { matches } = require("bun:shell/glob");
    const expander = this.expander(state, io);
    const text = await expander.text(node.word);
    for (const { patterns, body } of node.arms) {
      for (const pattern of patterns) {
        if (!matches(await expander.pattern(pattern), text)) continue;
        return this.run(body, state, io, isChecked);
      }
    }
    return 0;
  }
}

exports.Interpreter = Interpreter;
