import toml, { a } from "./data.toml";
import * as yaml from "./data.yaml";
import jsonc from "./data.jsonc";
import json5 from "./data.json5";
import text from "./data.txt";
import path from "./data.svg";
import css from "./style.css";
import asText from "./data.toml" with { type: "text" };
import asBytes from "./data.txt" with { type: "bytes" };
import asFile from "./data.yaml" with { type: "file" };
console.log(toml, a, yaml, jsonc, json5, [text], path.endsWith("/data.svg"), css);
console.log([asText], asBytes, asFile.endsWith("/data.yaml"));
const tries = [["./data.txt", "yaml"], ["./broken.toml"], ["./addon.node"], ["./x.db", "sqlite"],
  ["./data.txt", "nonsense"]];
for (const [file, type] of tries) {
  try {
    console.log((await import(file, type && { with: { type } })).default);
  } catch (error) {
    console.log(error.name, error.code, error.message.replaceAll(import.meta.dir, "DIR"));
  }
}
