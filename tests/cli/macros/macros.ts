let calls = 0;
export const count = () => ++calls;
export async function later(...args: unknown[]) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return { args, list: [1, undefined, null, -0, NaN, -Infinity], "__proto__": 1, nested: { "a-b": "\u2028\"" } };
}
export default function json() {
  return Response.json({ from: "a response" });
}
export const no = () => new Map();
export const patch = () => {
  JSON.stringify = () => "$0, globalThis";
  return "text";
};
