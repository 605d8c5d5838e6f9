import { a } from "./lib.js"; import { a } from "./lib.js";
