const old = "2020-01-01T00:00:00.000Z", now = new Date().toISOString();
export default ({ publish, packages }) => {
  for (const version of ["1.0.0", "1.1.0", "1.2.0"]) publish({ name: "quick", version });
  packages.get("quick").time = { modified: now, "1.0.0": old, "1.1.0": old, "1.2.0": now };
  publish({ name: "new", version: "1.0.0" });
  packages.get("new").time = { "1.0.0": now };
  publish({ name: "odd", version: "1.0.0" });
  packages.get("odd").time = { "1.0.0": "last week" };
};
