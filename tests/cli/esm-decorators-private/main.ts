const log: string[] = [];
const d = (tag: string) => (v: any, c: any) => {
  log.push(`${tag} ${c.kind} ${c.name} static=${c.static} private=${c.private} ${typeof v} ` +
    `${v && v.name} access=${Object.keys(c.access)}`);
  c.addInitializer(function (this: any) { log.push("init " + tag + " " + typeof this); });
};
const wrap = (v: any, c: any) =>
  function (this: any, ...a: any[]) { return "w(" + v.apply(this, a) + ")"; };
const twice = (v: any, c: any) => ({
  get(this: any) { return v.get.call(this) * 2; },
  set(this: any, n: any) { v.set.call(this, n + 1); },
  init(n: any) { return n + 100; },
});
class B { base() { return "base"; } }
class A extends B {
  x = 5;
  @d("m") @wrap #m(a: number) { return super.base() + this.x + a; }
  @d("sm") @wrap static #sm() { return "sm"; }
  @d("g") get #g() { return this.x; }
  @d("s") set #g(v) { this.x = v; }
  @d("acc") @twice accessor #acc = 1;
  @d("sacc") static accessor #sacc = 7;
  @d("f") #f = 3;
  @d("ag") async *#ag() { yield 1; yield* [2]; }
  static run() { return A.#sm() + A.#sacc; }
  async run() {
    this.#g += 10;
    this.#acc = this.#acc + 1;
    const r: any[] = [this.#m(1), this.#g, this.#acc, this.#f];
    for await (const v of this.#ag()) r.push(v);
    return r.join();
  }
}
console.log(A.run());
console.log(await new A().run());
console.log(log.join("\n"));
