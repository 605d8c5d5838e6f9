export default ({ publish, packages }) => {
  const add = (name, scripts) => {
    publish({ name, version: "1.0.0", scripts });
    packages.get(name).versions["1.0.0"].hasInstallScript = true;
  };
  add("one", { postinstall: "echo one > made.txt" });
  add("two", { install: "echo two > made.txt", preinstall: "echo first > first.txt" });
  publish({ name: "top", version: "1.0.0", dependencies: { two: "1" } });
};
