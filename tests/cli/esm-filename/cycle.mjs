import * as self from "./cycle.mjs";
export default [typeof self, __filename.endsWith("/cycle.mjs")];
