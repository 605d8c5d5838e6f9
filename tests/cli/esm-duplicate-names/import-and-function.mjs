import { a } from "./lib.js"; function a() {}
