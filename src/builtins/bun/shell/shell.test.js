// Tests of Bun.$: the API, values of templates, what scripts print and how they end.
const fs = require("node:fs");
const path = require("node:path");
const { $ } = Bun;
// Thousands of native calls: too many when each is followed by a collection.
const heavy = process.env.COB_GC_STRESS === undefined ? test : test.skip;

const dir = fs.mkdtempSync("/tmp/cob-shell-");
process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));

/** [stdout, exitCode, stderr] of a text. */
async function sh(text) {
  const o = await $`${{ raw: text }}`.cwd(dir).quiet().nothrow();
  return [o.stdout.toString(), o.exitCode, o.stderr.toString()];
}

/** A test of stdout for each script; with an array, of stdout, status and stderr. */
function table(name, rows) {
  for (const [script, expected] of rows) {
    test(`${name}: ${script}`, async () => {
      const result = await sh(script);
      if (Array.isArray(expected)) expect(result).toEqual(expected);
      else expect(result).toEqual([expected, 0, ""]);
    });
  }
}

table("words", [
  ["echo a  b 'c  d' \"e  f\" g\\ h", "a b c  d e  f g h\n"],
  ["echo \"a\\\"b\\$c\\\\d\\e\"", 'a"b$c\\d\\e\n'],
  ["echo a#b # comment", "a#b\n"],
  ["echo a \\\nb", "a b\n"],
  ["echo $'a\\tb'", "a\tb\n"],
  ["X=1 Y='a b'; echo $X$Y \"$Y\" ${X}2 '$X'", "1a b a b 12 $X\n"],
  ["echo $UNSET_; echo \"$UNSET_\" x", "\n x\n"],
  ["echo ~ '~' | sed \"s#$HOME#H#\"", "H ~\n"],
  ["echo a{1,2}b{3,4} {a,b{c,d}} {a} {1..3} {c..a} '{x,y}'", "a1b3 a1b4 a2b3 a2b4 a bc bd {a} 1 2 3 c b a {x,y}\n"],
  ["echo $(echo a; echo b) \"$(echo c; echo d)\" `echo e`", "a b c\nd e\n"],
  ["A=*.none; echo $A", "*.none\n"],
  ["A='x *'; echo $A", "x *\n"],
]);

table("expansions", [
  ["X=; echo ${X:-d} ${X-e} ${N:=f} $N ${X:+g} ${N:+h}", "d f f h\n"],
  ["P=/a/b.tar.gz; echo ${P##*/} ${P%.*} ${P%%.*} ${P#/a} ${#P}", "b.tar.gz /a/b.tar /a/b /b.tar.gz 11\n"],
  ["P=aXbXc; echo ${P/X/-} ${P//X/-} ${P:1:2} ${P: -1} ${P^} ${P,,}", "a-bXc a-b-c Xb c AXbXc axbxc\n"],
  ["echo $((1+2*3)) $((7/2)) $((2**10)) $((1<2&&0)) $((0x10)) $((5>3?1:2))", "7 3 1024 0 16 1\n"],
  ["x=3; echo $((x++)) $x $((x*=2)) $((-x))", "3 4 8 -8\n"],
  ["echo $((1/0))", ["", 1, 'bun: division by 0\n']],
  ["echo ${N:?gone}", ["", 1, "bun: N: gone\n"]],
  ["false; echo $?; set -- a 'b c'; echo $# $1 \"$@\"", "1\n2 a a b c\n"],
]);

table("operators", [
  ["echo a && echo b || echo c; false || echo d", "a\nb\nd\n"],
  ["! false && echo yes", "yes\n"],
  ["echo hi | cat | tr a-z A-Z", "HI\n"],
  ["(echo a; exit 3); echo $?", "a\n3\n"],
  ["exit 5; echo no", ["", 5, ""]],
  ["{ echo a; echo b; } | cat", "a\nb\n"],
  ["A=1; (A=2; cd /; echo $A); echo $A; pwd | sed 's#.*/cob-shell.*#same#'", "2\n1\nsame\n"],
  ["false | true; echo $?; set -o pipefail; false | true; echo $?", "0\n1\n"],
  ["set -e; false || true; if false; then :; fi; echo a; false; echo b", ["a\n", 1, ""]],
]);

table("compound commands", [
  ["if false; then echo a; elif true; then echo b; else echo c; fi", "b\n"],
  ["for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n"],
  ["i=0; while true; do i=$((i+1)); [ $i -ge 4 ] && break; done; echo $i", "4\n"],
  ["for i in a b; do for j in 1 2; do break 2; done; done; echo $i$j", "a1\n"],
  ["case foo.js in *.ts) echo ts;; *.js|*.jsx) echo js;; *) echo none;; esac", "js\n"],
  ["f() { local x=2; echo $x $1; return 4; }; x=1; f a; echo $? $x", "2 a\n4 1\n"],
  ["function g { echo g$#; }; g 1 2 3", "g3\n"],
  ["[[ abc == a*c && ! b == a ]] && [[ -d / || -f / ]] && [[ 10 -gt 9 ]] && echo ok", "ok\n"],
  ["[[ a1 =~ ^[a-z][0-9]+$ ]] && [[ 'a*' == 'a*' ]] && [[ ab != 'a*' ]] && echo ok", "ok\n"],
  ["printf 'a b\\nc d\\n' | while read x y; do echo $y-$x; done", "b-a\nd-c\n"],
]);

table("redirections", [
  ["echo a > f1; echo b >> f1; cat < f1", "a\nb\n"],
  ["(echo o; echo e >&2) > f2 2>&1; cat f2", "o\ne\n"],
  ["sh -c 'echo o; echo e >&2' &> f3; cat f3", "o\ne\n"],
  ["echo a >&2 2>/dev/null", ["", 0, "a\n"]],
  ["cat <<END\na $((1+1)) $(echo b)\nEND\necho after", "a 2 b\nafter\n"],
  ["cat <<'END' | cat\n$x `y`\nEND", "$x `y`\n"],
  ["cat <<-END\n\tx\n\tEND", "x\n"],
  ["cat <<< 'here string'", "here string\n"],
  ["sh -c 'echo x >&2; echo y' |& sort", "x\ny\n"],
  ["echo a > $UNSET_", ["", 1, "bun: ambiguous redirect: at `echo`\n"]],
  ["cat < none", ["", 1, "bun: No such file or directory: none\n"]],
  ["echo a > /", ["", 1, "bun: Is a directory: /\n"]],
  ["echo a 3>f4 >&3; cat f4; sh -c 'echo b >&3' 3>f4; cat f4", "a\nb\n"],
]);

table("failures", [
  ["nosuchcommand_", ["", 1, "bun: command not found: nosuchcommand_\n"]],
  ["ls *.none_", ["", 1, "bun: no matches found: *.none_\n"]],
  ["sh -c 'exit 7'", ["", 7, ""]],
  ["sh -c 'kill -9 $$'", ["", 137, ""]],
  ["echo a > /dev/full", ["", 1, "echo: No space left on device\n"]],
]);

test("syntax errors say what and where", () => {
  const failures = {
    "echo (": "Unexpected token: `(`",
    "(echo": "Unclosed subshell",
    "echo $(": "Unclosed command substitution",
    "echo )": "Unexpected ')'",
    "echo a |": "Unexpected EOF",
    "| a": 'expected a command or assignment but got: "Pipe"',
    "a &": 'Background commands "&" are not supported yet.',
    "echo >": "Redirection with no file",
    "if true; then a": 'Expected "else", "elif", or "fi" but got: Eof',
    "[[ a": 'Expected "]]" but got: EOF',
  };
  for (const [text, message] of Object.entries(failures)) {
    expect(() => $`${{ raw: text }}`).toThrow(message);
  }
  try {
    $`${{ raw: "a\n  b (" }}`;
  } catch (error) {
    expect(error.position).toEqual({ line: 2, column: 5 });
  }
});

test("values are single words", async () => {
  const nasty = "a; rm -rf /tmp/x $(id) `id` $HOME * ~ {1,2} \"'\\\n";
  expect(await $`printf %s ${nasty}`.text()).toBe(nasty);
  expect(await $`printf %s "<${nasty}>" '<${nasty}>'`.text()).toBe(`<${nasty}><${nasty}>`);
  expect(await $`printf '[%s]' ${["a b", ["c"], 1, null]} x${2}y ${{ raw: "d e" }}`.text()).toBe(
    "[a b][c][1][null][x2y][d][e]",
  );
  expect(await $`${["echo", "a"]}`.text()).toBe("a\n");
  expect(await $`X=${"a b"}; printf %s $X`.text()).toBe("a b");
  expect(() => $`echo ${{}}`).toThrow("Invalid JS object used in shell: [object Object]");
  expect(() => $`echo ${"a\0b"}`).toThrow("null bytes");
  expect(() => $`echo "${new Uint8Array(1)}"`).toThrow("double quotes");
});

test("objects as sources and targets", async () => {
  const text = "0123456789".repeat(20_000);
  const bytes = Buffer.from(text);
  const sources = [bytes, new Uint8Array(bytes).buffer, new Blob([text]), new Response(text)];
  for (const source of [...sources, new Response(text).body]) {
    expect((await $`cat < ${source}`.text()) === text).toBe(true);
    if (source instanceof Response) expect(source.bodyUsed).toBe(true);
  }
  const file = Bun.file(path.join(dir, "target"));
  await $`printf abc > ${file}; printf def >> ${file}`;
  expect(await $`cat < ${file} ${file}`.text()).toBe("abcdef");
  const small = new Uint8Array(4);
  await $`sh -c 'echo abcdefgh' > ${small}`.nothrow();
  expect(Buffer.from(small).toString()).toBe("abcd");
  const yes = Buffer.alloc(4);
  await $`yes > ${yes}`.nothrow();
  expect(yes.toString()).toBe("y\ny\n");
  await expect($`echo > ${new Blob([])}`.quiet()).rejects.toThrow("immutable blob");
});

test("promises are lazy, and read in many ways", async () => {
  const file = path.join(dir, "lazy");
  const pending = $`echo 1 > ${file}`;
  await Bun.sleep(5);
  expect(fs.existsSync(file)).toBe(false);
  await pending;
  expect(fs.existsSync(file)).toBe(true);
  expect(await $`echo '{"a":1}'`.json()).toEqual({ a: 1 });
  expect(await Array.fromAsync($`printf 'a\nb\r\nc'`.lines())).toEqual(["a", "b", "c"]);
  expect(await $`echo a`.text("hex")).toBe("610a");
  expect((await $`echo a`.blob()).size).toBe(2);
  expect([...(await $`echo a`.bytes())]).toEqual([97, 10]);
  expect((await $`echo a`.arrayBuffer()).byteLength).toBe(2);
  const running = $`echo a`.quiet().run();
  expect(() => running.cwd("/")).toThrow("Shell is already running");
  expect((await running).text()).toBe("a\n");
});

test("lines come while the script runs", async () => {
  const gate = path.join(dir, "gate");
  const seen = [];
  const script = `echo a; while [ ! -e ${gate} ]; do sleep 0.01; done; printf 'b\\r\\nc'`;
  for await (const line of $`sh -c ${script}`.lines()) {
    seen.push(line);
    if (line === "a") fs.writeFileSync(gate, "");
  }
  expect(seen).toEqual(["a", "b", "c"]);
  const failing = $`echo x; exit 3`.lines();
  expect((await failing.next()).value).toBe("x");
  await expect(failing.next()).rejects.toThrow("Failed with exit code 3");
});

test("errors", async () => {
  const error = await $`echo out; sh -c 'echo err >&2; exit 7'`.quiet().catch((e) => e);
  expect(error instanceof $.ShellError && error instanceof Error).toBe(true);
  expect([error.name, error.message, error.exitCode]).toEqual(["ShellError", "Failed with exit code 7", 7]);
  expect([error.text(), `${error.stderr}`]).toEqual(["out\n", "err\n"]);
  expect(JSON.parse(JSON.stringify(error)).stdout).toBe("out\n");
  // The engine's own stacks, which the slow path has, say nothing of who awaits.
  if (process.env.COB_NO_FAST_NATIVES !== "1") expect(error.stack).toMatch(/shell\.test\.js/);
  expect((await $`exit 3`.nothrow()).exitCode).toBe(3);
  const shell = new $.Shell().nothrow();
  expect((await shell`exit 4`).exitCode).toBe(4);
  expect(await shell`exit 4`.throws(true).then(() => 0, (e) => e.exitCode)).toBe(4);
});

test("settings of one shell are its own", async () => {
  const shell = new $.Shell().env({ A: "1", PATH: process.env.PATH }).cwd(dir);
  expect(await shell`echo $A; pwd; sh -c 'echo $A'`.text()).toBe(`1\n${dir}\n1\n`);
  expect(await $`echo "$A"; pwd`.text()).toBe(`\n${process.cwd()}\n`);
  expect(await shell`echo $A`.env({ A: "2" }).text()).toBe("2\n");
  await expect(shell`pwd`.cwd("/none_").text()).rejects.toThrow("No such file or directory");
  expect(() => $.env(1)).toThrow("env must be an object or undefined");
  expect(() => $("a")).toThrow("tagged template");
});

test("$.escape and $.braces", async () => {
  expect(["", "a", "a b", "$x", 'a"b', "a\\b", "a/b-c.d"].map($.escape)).toEqual(
    ['""', "a", '"a b"', '"\\$x"', '"a\\"b"', '"a\\\\b"', "a/b-c.d"],
  );
  for (const text of ["a'b", "*", "~", "{a,b}", "a\nb", "#", "$(x)", "!", "[a]", "a=b"]) {
    expect(await $`printf %s ${{ raw: $.escape(text) }}`.text()).toBe(text);
  }
  expect($.braces("a{1,2}")).toEqual(["a1", "a2"]);
  expect($.braces("{a}")).toEqual(["{a}"]);
  expect(() => $.braces("{a,b}".repeat(40))).toThrow("too many");
});

heavy("no descriptor is left, whatever ends first", async () => {
  const count = () => fs.readdirSync("/proc/self/fd").length;
  const scripts = [
    "echo a | cat | cat", "yes | head -n 1", "cat < none", "nosuchcommand_ | cat", "echo x | true",
    "(echo a; sh -c 'echo b >&2') > f9 2>&1; cat <<< x", "echo $(echo a | cat) > f9", "seq 20000 | false",
    "cat f9 nothing 2> /dev/null", "for i in 1 2 3; do echo $i | cat; done | tail -n 1", "read x < f9",
  ];
  const run = () => Promise.all(scripts.map((script) => sh(script)));
  await sh("echo a > f9");
  await run();
  const before = count();
  for (let i = 0; i < 5; i++) await run();
  await Promise.all([$`cat < ${new Blob(["x".repeat(300_000)])} | head -c 1`.quiet(), $`true < ${Buffer.alloc(300_000)}`.quiet()]);
  for (let i = 0; i < 2000 && count() > before; i++) await Bun.sleep(1);
  expect(count() <= before).toBe(true);
});

heavy("many at once, and much through one", async () => {
  const numbers = Array.from({ length: 20 }, (_, i) => i);
  const all = numbers.map((i) => $`echo ${i} | cat | cat`.text());
  expect((await Promise.all(all)).join("")).toBe(numbers.map((i) => `${i}\n`).join(""));
  expect(await $`head -c 5000000 /dev/zero | cat | wc -c`.text()).toBe("5000000\n");
  expect((await $`head -c 3000000 /dev/zero`.arrayBuffer()).byteLength).toBe(3_000_000);
  expect(await $`seq 1 50000 | tail -n 1`.text()).toBe("50000\n");
});
