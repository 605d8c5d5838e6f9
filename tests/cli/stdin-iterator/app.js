(async () => {
  let text = "";
  for await (const chunk of process.stdin) text += new TextDecoder().decode(chunk);
  console.log(JSON.stringify(text));
})();
