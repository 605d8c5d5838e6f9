let prefix;
export async function initialize(data) { await null; prefix = data.prefix; }
export async function resolve(specifier, context, next) {
  if (specifier === "app:config") return { url: "app:config", shortCircuit: true };
  const result = await next(specifier, context);
  return specifier === "./dep.mjs" ? { ...result, url: `${result.url}?${prefix}` } : result;
}
export async function load(url, context, next) {
  if (url === "app:config") return { format: "json", source: '{"a": 1}', shortCircuit: true };
  const result = await next(url, context);
  if (url.endsWith("?hooked")) result.source = "import * as real from './dep.mjs?real'; export const value = `wrapped ${real.value}`;";
  return result;
}
