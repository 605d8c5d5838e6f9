import { dirname } from "node:path";
const __filename = "/own/file.js";
const __dirname = dirname(__filename);
export default [__filename, __dirname];
