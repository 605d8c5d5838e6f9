import { a } from "./lib.js"; { var a; }
