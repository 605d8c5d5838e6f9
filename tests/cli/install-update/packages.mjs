export default ({ publish, answers }) => {
  for (const version of ["1.0.0", "1.0.3", "1.5.0", "2.0.0"]) publish({ name: "lib", version });
  for (const version of ["1.0.0", "1.1.0"]) publish({ name: "tester", version });
  publish({ name: "uses", version: "1.0.0", dependencies: { lib: "^1.0.0", leaf: "^1.0.0" } });
  answers.set("/refused", () => [401, "{}"]);
};
