const say = (what) => `echo ${what} $npm_package_name $npm_lifecycle_event >> log`;
const script = (name, scripts, more = {}, files = {}) =>
  [{ name, version: "1.0.0", hasInstallScript: true, scripts, ...more }, files];

export default ({ publish }) => {
  publish(...script("first", { postinstall: "echo made > made; echo changed > index.js" },
    { bin: "./cli.sh" }, { "cli.sh": "#!/bin/sh\necho the command of first\n" }));
  publish(...script("second", {
    preinstall: say("before"), install: "first >> log; cat ../first/made >> log",
    postinstall: `${say("after")}; echo "$npm_package_config_color $INIT_CWD" >> log; echo loud`,
    prepare: say("never") }, { dependencies: { first: "1" }, config: { color: "red" } }));
  publish(...script("third", { postinstall: "grep -q after ../second/log && touch was-last" },
    { dependencies: { middle: "1", second: "1" } }));
  publish(...script("fails", { postinstall: "echo to out; echo to err >&2; exit 3" }));
  publish(...script("compiled", {}, { bin: { "node-gyp": "./gyp.sh" } },
    { "binding.gyp": "{}", "gyp.sh": "#!/bin/sh\necho \"$@\" > gyp-was-run\n" }));
};
