import "./a.mjs"; export { c } from "./c.mjs";
