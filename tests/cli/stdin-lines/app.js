process.stdin.setEncoding("utf8");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) console.log("line:", line);
});
process.stdin.on("end", () => console.log("end:", JSON.stringify(rest)));
