// internal/util/colors -- are colors wanted, and how many (Node: tty.WriteStream.getColorDepth).

const kFull = 24;
const kTerminals = { __proto__: null };
for (let i = 0, all = [
  "eterm", "cons25", "console", "cygwin", "dtterm", "gnome", "hurd", "jfbterm", "konsole", "kterm",
  "mlterm", "putty", "st",
]; i < all.length; i++) {
  const name = all[i];
  kTerminals[name] = 4;
}
const kTrueColor = ["mosh", "rxvt-unicode-24bit", "terminator", "xterm-kitty"];
for (let i = 0; i < kTrueColor.length; i++) {
  const name = kTrueColor[i];
  kTerminals[name] = kFull;
}
const kTerminalPatterns =
  /ansi|color|linux|direct|^con\d*x\d|^rxvt|^screen|^xterm|^vt100|^vt220/;
const kContinuous = [
  ["APPVEYOR", 8], ["BUILDKITE", 8], ["CIRCLECI", kFull], ["DRONE", 8], ["GITEA_ACTIONS", kFull],
  ["GITHUB_ACTIONS", kFull], ["GITLAB_CI", 8], ["TRAVIS", 8],
];

let hasWarned = false;

function warnAboutForce(env) {
  const ignored = ["NODE_DISABLE_COLORS", "NO_COLOR"].filter((name) => env[name]);
  if (hasWarned || ignored.length === 0) return;
  hasWarned = true;
  process.emitWarning(
    `The '${ignored.join("' and '")}' env is ignored due to the 'FORCE_COLOR' env being set.`,
    "Warning",
  );
}

function forcedDepth(env) {
  switch (env.FORCE_COLOR) {
    case "":
    case "1":
    case "true":
      warnAboutForce(env);
      return 4;
    case "2":
      warnAboutForce(env);
      return 8;
    case "3":
      warnAboutForce(env);
      return kFull;
    default:
      return 1;
  }
}

function continuousDepth(env) {
  if ("TF_BUILD" in env && "AGENT_NAME" in env) return 4;
  if (!("CI" in env)) {
    if (!("TEAMCITY_VERSION" in env)) return 0;
    return /^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? 4 : 1;
  }
  for (let i = 0; i < kContinuous.length; i++) {
    const { 0: name, 1: depth } = kContinuous[i];
    if (name in env) return depth;
  }
  return env.CI_NAME === "codeship" ? 8 : 1;
}

function programDepth(env) {
  switch (env.TERM_PROGRAM) {
    case "iTerm.app":
      return !env.TERM_PROGRAM_VERSION || /^[0-2]\./.test(env.TERM_PROGRAM_VERSION) ? 8 : kFull;
    case "HyperTerm":
    case "MacTerm":
      return kFull;
    case "Apple_Terminal":
      return 8;
    default:
      return 0;
  }
}

function terminalDepth(env) {
  if (/^(?:truecolor|24bit)$/.test(env.COLORTERM ?? "")) return kFull;
  const term = env.TERM ?? "";
  if (term.includes("truecolor")) return kFull;
  if (term.startsWith("xterm-256")) return 8;
  const name = term.toLowerCase();
  if (kTerminals[name] !== undefined) return kTerminals[name];
  return env.COLORTERM || kTerminalPatterns.test(name) ? 4 : 1;
}

/** Bits of color, 1 (none), 4, 8 or 24, for a terminal with the environment `env`. */
exports.colorDepth = function colorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) return forcedDepth(env);
  if (env.NODE_DISABLE_COLORS || env.NO_COLOR || env.TERM === "dumb") return 1;
  if (env.TMUX) return kFull;
  return continuousDepth(env) || programDepth(env) || terminalDepth(env);
};

/** Should text for `stream` be colored? */
exports.shouldColorize = function shouldColorize(stream) {
  if (process.env.FORCE_COLOR !== undefined) return exports.colorDepth() > 2;
  if (!stream?.isTTY) return false;
  return typeof stream.getColorDepth === "function" ? stream.getColorDepth() > 2 : true;
};

/** The function of tty.WriteStream: hasColors(), hasColors(count), hasColors(env), or both. */
exports.hasColors = function hasColors(count, env) {
  let wanted = count;
  let from = env;
  if (env === undefined && (count === undefined || (typeof count === "object" && count !== null))) {
    from = count;
    wanted = 16;
  } else {
    require("internal/validators").validateInteger(count, "count", 2);
  }
  return wanted <= 2 ** exports.colorDepth(from);
};
