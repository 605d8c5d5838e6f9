import config from "app:config";
import { value } from "./dep.mjs";
import { sep } from "node:path";
console.log(config, value, sep, import.meta.main);
