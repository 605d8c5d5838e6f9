// Tests of HTMLRewriter.
const on = (selector, handlers, html) => new HTMLRewriter().on(selector, handlers).transform(html);
const element = (run) => ({ element: run });
/** The names of the elements that match, in order. */
function seen(selector, html) {
  const names = [];
  on(selector, element((e) => void names.push(e.tagName)), html);
  return names.join();
}

test("attributes", () => {
  const html = "<p  a=1 b='2' A=9 d>x</P>";
  expect(on("p", element((e) => void e.setAttribute("C", '3"<')), html)).toBe(
    `<p a=1 b='2' A=9 d c="3&quot;<">x</P>`,
  );
  expect(on("p", element((e) => void e.removeAttribute("a")), "<p  a=1 b='2'/>x")).toBe("<p b='2' />x");
  expect(on("p", element(() => {}), html)).toBe(html);
  let found;
  on("p", element((e) => (found = [[...e.attributes], e.getAttribute("A"), e.getAttribute("z"), e.hasAttribute("d")])), html);
  expect(found).toEqual([[["a", "1"], ["b", "2"], ["a", "9"], ["d", ""]], "1", null, true]);
  for (const [name, message] of [["a b", "` `"], ["", "empty"], ["a=", "`=`"]]) {
    expect(() => on("p", element((e) => e.setAttribute(name, "1")), "<p>")).toThrow(message);
  }
});

test("content around, inside and instead", () => {
  const html = "<p>hi<b>q</b></p>z";
  const run = (change) => on("p", element((e) => void change(e)), html);
  expect(run((e) => e.before("b1").before("b2").after("a1").after("a2").prepend("p1").prepend("p2").append("x"))).toBe(
    "b1b2<p>p2p1hi<b>q</b>x</p>a2a1z",
  );
  expect(run((e) => e.prepend("P").setInnerContent("<i>").prepend("Q").append("A"))).toBe("<p>Q&lt;i&gt;A</p>z");
  expect(run((e) => e.before("B").replace("<R>", { html: true }).after("A"))).toBe("B<R>Az");
  expect(run((e) => e.before("B").after("A").remove())).toBe("BAz");
  expect(run((e) => e.before("B").prepend("P").append("Q").after("A").removeAndKeepContent())).toBe("BPhi<b>q</b>QAz");
  expect(run((e) => (e.tagName = "section"))).toBe("<section>hi<b>q</b></section>z");
  expect(on("br", element((e) => void e.before("B").after("A").prepend("x").setInnerContent("y")), "<br/>c")).toBe("B<br/>Ac");
  expect(run((e) => e.onEndTag((tag) => void tag.before("B").after("A")))).toBe("<p>hi<b>q</b>B</p>Az");
  expect(run((e) => e.onEndTag((tag) => void tag.remove()))).toBe("<p>hi<b>q</b>z");
  expect(() => on("br", element((e) => e.onEndTag(() => {})), "<br>")).toThrow("No end tag.");
});

test("text, comments, the document", () => {
  const parts = [];
  const text = (t) => void parts.push([t.text, t.lastInTextNode]);
  on("p", { text }, "<p>a &amp; <b>x</b></p>out");
  expect(parts).toEqual([["a &amp; ", false], ["", true], ["x", false], ["", true]]);
  expect(on("p", { text: (t) => void t.replace(`<${t.text}>`) }, "<p>x</p>")).toBe("<p>&lt;x&gt;&lt;&gt;</p>");
  expect(on("p", { comments(c) { c.text += "!"; c.before("A"); } }, "<p><!-- hi --><!----></p><!--o-->")).toBe(
    "<p>A<!-- hi !-->A<!--!--></p><!--o-->",
  );
  expect(() => on("p", { comments(c) { c.text = "-->"; } }, "<p><!---->")).toThrow("closing sequence");
  const log = [];
  const html = new HTMLRewriter().onDocument({
    doctype: (d) => void log.push(d.name, d.publicId, d.systemId),
    comments: (c) => void log.push(c.text),
    end: (e) => void e.append("<e>"),
  }).transform('<!DOCTYPE html PUBLIC "-//W3C" "sys"><!--c-->x');
  expect([log, html.endsWith("x&lt;e&gt;")]).toEqual([["html", "-//W3C", "sys", "c"], true]);
});

test("selectors", () => {
  for (const [selector, html, expected] of [
    ["p.red", '<p class="a red"><p class=Red>', "p"], ["h1#x", "<h1 id=x><h1 id=X>", "h1"],
    ['[a="One" i]', "<i a=one><b a=Two>", "i"], ["[a~=t]", '<i a="x t"><b a=xt>', "i"],
    ["[a^=x]", "<i a=xy><b a=yx>", "i"], ["[a$=x]", "<i a=xy><b a=yx>", "b"],
    ["[a|=en]", "<i a=en-US><b a=en><u a=eng>", "i,b"], ["div span", "<div><b><span></span></b></div><span>", "span"],
    ["div > span", "<div><b><span></span></b></div>", ""], ["div > p > b", "<div><p><b>", "b"],
    ["div p b", "<div><i><p><i><b></b></i></p></i></div><b>", "b"], ["a, b", "<a><b><i>", "a,b"], ["*", "<a><b>", "a,b"],
    ["b:nth-child(2n+1)", "<b></b><b></b><b></b>", "b,b"], ["b:nth-child(-n+2)", "<b></b><b></b><b></b>", "b,b"],
    ["b:nth-of-type(2)", "<i></i><b></b><i></i><b></b>", "b"], ["b:not(.x):not(:first-child)", "<b></b><b class=x></b><b>", "b"],
    ["#\\31 a", "<p id=1a>", "p"],
  ]) {
    expect([selector, seen(selector, html)]).toEqual([selector, expected]);
  }
  for (const [selector, message] of [
    ["", "empty"], ["p >", "Dangling"], ["a + b", "`+`"], ["p:hover", "pseudo"], ["p[", "end of selector"],
    ["p..x", "class name"], ["svg|a", "namespaces"], ["[a=1]", "attribute selector"], ["p:nth-child(x)", "Unexpected token"],
  ]) {
    expect(() => seen(selector, "")).toThrow(message);
  }
});

test("what is no tag", () => {
  expect(seen("*", "a < b <1> </> <!x> <?y> <a b=c/d> <p <q> <!-->z<!---> <script><i></script><title><b></title>")).toBe(
    "a,p,script,title",
  );
  expect(seen("*", "<svg><path/><title><b></b></title></svg><p>")).toBe("svg,path,title,b,p");
  for (const html of ["<p", "<p a='", "<!--", "</", "<", "<script>x</scr", "<p></p></b></i>"]) {
    expect(on("p", element(() => {}), html)).toBe(html);
  }
});

test("every cut of the input gives the same", async () => {
  const html = "<!doctype html><p a='1>2' b>h\u00e9 <b>x</b></p><script>a</b></script><!-- c --><br/>&amp;";
  const make = () => new HTMLRewriter().on("p", { element: (e) => void e.append("!").setAttribute("z", "1") });
  const expected = make().transform(html);
  const bytes = new TextEncoder().encode(html);
  for (let i = 1; i < bytes.length; i++) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, i));
        controller.enqueue(bytes.slice(i));
        controller.close();
      },
    });
    expect(await make().transform(new Response(body)).text()).toBe(expected);
  }
});

test("handlers that take time, and that fail", async () => {
  const slow = new HTMLRewriter().on("p", { async element(e) { await Bun.sleep(1); e.append("!"); } });
  const response = slow.transform(new Response("<p>x</p>", { status: 201, headers: { x: "y", "content-length": "8" } }));
  expect([response.status, response.headers.get("x"), response.headers.get("content-length")]).toEqual([201, "y", null]);
  expect(await response.text()).toBe("<p>x!</p>");
  expect(() => slow.transform("<p>")).toThrow("cannot synchronously return");
  const soon = { async element(e) { await null; e.setAttribute("a", "1"); } };
  expect(on("p", soon, "<p>")).toBe('<p a="1">');
  const failing = new HTMLRewriter().on("p", { element() { throw new Error("boo"); } });
  expect(() => failing.transform("<p>")).toThrow("boo");
  await expect(failing.transform(new Response("<p>")).text()).rejects.toThrow("boo");
  let n = 0;
  new HTMLRewriter().on("p", { element() { n++; } }).transform(new Response("<p><p>"));
  for (let i = 0; i < 1000 && n < 2; i++) await Bun.sleep(1);
  expect(n).toBe(2); // nobody reads
});

test("tokens are good while the handler runs; arguments", () => {
  let kept;
  on("p", element((e) => (kept = e)), "<p>");
  expect([kept.tagName, kept.setAttribute("a", "1"), kept.getAttribute("a")]).toEqual([null, undefined, undefined]);
  const buffer = on("p", element((e) => void e.remove()), new TextEncoder().encode("<p>x</p>\u00e9"));
  expect([buffer instanceof ArrayBuffer, new TextDecoder().decode(buffer)]).toEqual([true, "\u00e9"]);
  for (const run of [() => new HTMLRewriter().on("p"), () => new HTMLRewriter().transform(), () => new HTMLRewriter().onDocument()]) {
    expect(run).toThrow("Missing argument");
  }
  expect(() => on("p", { element: 5 }, "")).toThrow("element must be a function");
  expect(() => new HTMLRewriter().transform(5)).toThrow("Expected Response or Body");
});

test("much nesting, many attributes", () => {
  expect(() => on("p", element(() => {}), "<b>".repeat(70_000))).toThrow("nested too deeply");
  expect(on("p", element(() => {}), `${"<b>".repeat(50_000)}${"</i>".repeat(50_000)}`).length).toBe(350_000);
  expect(seen("a b c d", "<a><b><c>".repeat(2000) + "<d>")).toBe("d");
  expect(() => on("p", element(() => {}), "x").length).not.toThrow();
});
