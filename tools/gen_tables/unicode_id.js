// gen_tables/unicode_id.js -- writes src/syntax/unicode_id.def from the Unicode data of the engine that runs it.
//
// usage: node unicode_id.js > src/syntax/unicode_id.def
// Each line is RANGE(first, last, start): `start` is 1 where the characters may begin an identifier.
'use strict';
const isStart = /^\p{ID_Start}$/u, isPart = /^\p{ID_Continue}$/u;
const kindOf = (c) => {
  const s = String.fromCodePoint(c);
  return isStart.test(s) ? 2 : isPart.test(s) ? 1 : 0;
};
const lines = [];
let from = 0, kind = 0;
for (let c = 0x80; c <= 0x110000; c++) {
  const k = c < 0x110000 ? kindOf(c) : 0;
  if (k === kind) continue;
  if (kind) lines.push(`RANGE(0x${from.toString(16)}, 0x${(c - 1).toString(16)}, ${kind - 1})`);
  from = c;
  kind = k;
}
console.log('/* syntax/unicode_id.def -- written by tools/gen_tables/unicode_id.js; Unicode ' +
  (globalThis.process?.versions?.unicode ?? '') + '. */');
for (let i = 0, line = ''; i <= lines.length; i++) {
  if (i === lines.length || line.length + lines[i].length > 97) {
    console.log(line.trimEnd());
    line = '';
  }
  if (i < lines.length) line += lines[i] + ' ';
}
