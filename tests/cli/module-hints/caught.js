try { require("./lib/first"); } catch (e) {
  console.log(e.requireStack.map((f) => f.slice(__dirname.length + 1)), Object.keys(e), e.specifier, e.referrer.slice(__dirname.length + 1));
}
