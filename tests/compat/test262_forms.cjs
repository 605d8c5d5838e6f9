// tests/compat/test262_forms.cjs TEST262 LIST OUT -- runs each script that LIST names (paths below TEST262/test, one a
// line) in realms of its own as it is, printed by the full path and minified (white space and syntax; IDENTS=1: names
// too). What passes as it is and fails in another form goes to OUT, one a line, and a last line with the numbers of
// what was skipped, failed as it is, passed printed, passed minified, went to OUT. Left out: modules, negative and
// raw tests, agents, IsHTMLDDA, dynamic import, tail calls, texts of functions. For lists of thousands: 600 at a time,
// realms are only collected between them.
const fs = require('fs'), vm = require('vm'), path = require('path');
const [root, list, out, only] = process.argv.slice(2);
const tests = fs.readFileSync(list, 'utf8').trim().split('\n');
const harness = {};
const H = (n) => harness[n] ??= new vm.Script(fs.readFileSync(path.join(root, 'harness', n), 'utf8'), { filename: n });
const printer = new Bun.Transpiler({ loader: 'js', target: 'browser', deadCodeElimination: false, trimUnusedImports: false });
const minifier = new Bun.Transpiler({ loader: 'js', target: 'browser', minify: { whitespace: true, syntax: true, identifiers: !!process.env.IDENTS, keepNames: true }, trimUnusedImports: false });
function front(s) {
  const y = (/\/\*---([\s\S]*?)---\*\//.exec(s) || ['', ''])[1].replace(/\r/g, '\n');
  const lst = (k) => {
    let m = new RegExp('^' + k + ':\\s*\\[([\\s\\S]*?)\\]', 'm').exec(y);
    if (m) return m[1].split(',').map((x) => x.trim()).filter(Boolean);
    m = new RegExp('^' + k + ':\\s*\\n((?:\\s+-\\s*.*\\n?)+)', 'm').exec(y);
    return m ? m[1].trim().split('\n').map((x) => x.trim().slice(1).trim()) : [];
  };
  return { inc: lst('includes'), fl: lst('flags'), feat: lst('features'), neg: /^negative:/m.test(y) };
}
function realm() {
  const x = vm.createContext({});
  const g = vm.runInContext('globalThis', x);
  g.$262 = { global: g, evalScript: (s) => vm.runInContext(s, x), gc() { Bun.gc(true); },
    detachArrayBuffer(ab) { structuredClone(ab, { transfer: [ab] }); return null; }, createRealm: () => realm().g.$262,
    agent: {} };
  return { x, g };
}
function run(f, text, file) {
  return new Promise((resolve) => {
    const { x, g } = realm();
    const isAsync = f.fl.includes('async');
    let timer;
    const done = (v) => { clearTimeout(timer); resolve(v); };
    for (const n of ['exports', 'module']) Object.defineProperty(g, n, { value: g, configurable: true, writable: true, enumerable: false });
    g.print = (m) => { m = String(m); if (m === 'Test262:AsyncTestComplete') done(''); else if (m.startsWith('Test262:AsyncTestFailure')) done(m.slice(25) || 'failed'); };
    current = (e) => done(String(e && e.message || e) || 'error');
    try {
      for (const h of ['assert.js', 'sta.js', ...(isAsync ? ['doneprintHandle.js'] : []), ...f.inc]) H(h).runInContext(x);
      new vm.Script((f.fl.includes('onlyStrict') ? '"use strict";\n' : '') + text, { filename: file }).runInContext(x);
    } catch (e) { let m; try { m = (e && e.constructor && e.constructor.name) + ': ' + (e && e.message); } catch { m = 'thrown'; } done(m || 'thrown'); return; }
    if (!isAsync) done(''); else timer = setTimeout(() => done('never done'), 1500);
  });
}
let current = () => {};
process.on('uncaughtException', (e) => current(e)); process.on('unhandledRejection', () => {});
(async () => {
  const fd = fs.openSync(out, 'a'); let n = [0, 0, 0, 0, 0];
  for (let i = 0; i < tests.length; i++) {
    const t = tests[i], file = path.join(root, 'test', t), src = fs.readFileSync(file, 'utf8'), f = front(src);
    fs.writeFileSync(out + '.at', String(i));
    if (f.neg || f.fl.includes('raw') || f.fl.includes('module') || /\$262\.agent/.test(src) || f.inc.includes('atomicsHelper.js') || f.feat.includes('IsHTMLDDA') || f.fl.includes('CanBlockIsFalse') || f.feat.includes('dynamic-import') || f.feat.includes('tail-call-optimization')
      || (src.includes('.toString()') && src.includes('unction'))) { n[0]++; continue; }
    const base = await run(f, src, file);
    if (base) { n[1]++; continue; }
    const strict = f.fl.includes('onlyStrict') ? '"use strict";\n' : '';
    for (const [k, tr] of [[2, printer], [3, minifier]]) {
      let r;
      try { r = await run({ ...f, fl: f.fl.filter((v) => v !== 'onlyStrict') }, tr.transformSync(strict + src), file); } catch (e) { r = 'transform: ' + (e.message || (e.errors && e.errors[0] && e.errors[0].message)); }
      if (!r) n[k]++; else { n[4]++; fs.writeSync(fd, (k === 2 ? 'print' : 'min') + '\t' + t + '\t' + String(r).split('\n')[0].slice(0, 160) + '\n'); }
    }
  }
  fs.writeSync(fd, '#\t' + n.join(' ') + '\n');
  process.exit(0);
})();
