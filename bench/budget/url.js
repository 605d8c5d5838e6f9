let length = 0;
for (let i = 0; i < 5_000; i++) {
  const url = new URL(`../a/./b/${i}?q=${i}&r=%20x#frag`, "https://user@example.com:8080/base/path/");
  url.searchParams.append("more", "a b");
  length += url.href.length;
}
if (length !== 342_780) throw new Error(`length ${length}`);
