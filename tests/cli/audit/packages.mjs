export default ({ answers, publish }) => {
  for (const version of ["1.0.0", "1.0.1", "2.0.0"]) publish({ name: "lib", version });
  publish({ name: "uses", version: "1.0.0", dependencies: { lib: "^1.0.0", deep: "1" } });
  publish({ name: "deep", version: "1.0.0", dependencies: { lib: "1.0.0" } });
  const path = "/-/npm/v1/security/advisories/bulk";
  const advisory = (id, severity, range) => ({ id, title: `Trouble ${id}`, severity, vulnerable_versions: range,
    url: `https://example.com/GHSA-${id}`, cves: [`CVE-${id}`] });
  answers.set(path, (req, body) => {
    if (process.env.SHOW_BODY) console.error(body);
    const known = { lib: [advisory(1, "high", "<1.0.1"), advisory(2, "low", "<9")],
      leaf: [advisory(3, "moderate", ">=5")] };
    const asked = JSON.parse(body);
    return [200, JSON.stringify(Object.fromEntries(Object.entries(known).filter(([name]) => name in asked)))];
  });
  answers.set(`/failing${path}`, () => [500, "no"]);
  answers.set(`/broken${path}`, () => [200, "[]"]);
};
