// Globals of the host look as if they had always been there.
const names = Object.getOwnPropertyNames(globalThis);
console.log(names.includes("URL"), names.includes("setTimeout"), names.includes("console"));
console.log(typeof AbortSignal, typeof notThere, "EventTarget" in globalThis, "nope" in globalThis);
console.log(Object.hasOwn(globalThis, "URLSearchParams"), globalThis.global === globalThis);
console.log(new URL("http://a/b").pathname, URL === globalThis.URL);
try {
  notThere;
} catch (error) {
  console.log(error.name);
}
