import { there } from "./lib.mjs";
import { absent } from "./lib.mjs";
console.log("not reached", there, absent);
