import { a } from "./lib.js"; const a = 1;
