export default ({ publish }) => {
  for (const version of ["1.0.0", "2.0.0"]) publish({ name: "host", version });
  publish({ name: "plugin", version: "1.0.0", peerDependencies: { host: "*" } },
    { "index.js": "module.exports = 'plugin of ' + require('host');" });
  publish({ name: "holder", version: "1.0.0", dependencies: { plugin: "1" } },
    { "index.js": "module.exports = 'holder with ' + require('plugin');" });
  publish({ name: "forgetful", version: "1.0.0" },
    { "index.js": "module.exports = 'finds ' + require('leaf');" });
  publish({ name: "built", version: "1.0.0", hasInstallScript: true, dependencies: { "@scope/tool": "3" },
    scripts: { postinstall: "tool > built" } });
};
