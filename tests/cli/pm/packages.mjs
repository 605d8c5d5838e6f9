export default ({ answers }) => {
  answers.set("/-/whoami", (req) => req.headers.authorization === "Bearer good" ?
    [200, '{"username":"me"}'] : [401, "{}"]);
  answers.set("/broken/-/whoami", () => [200, "<html>"]);
};
