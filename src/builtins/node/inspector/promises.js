// node:inspector/promises -- as node:inspector (Node: inspector).
Object.assign(exports, require("node:inspector"));
require("internal/unavailable").define(exports, "inspector", ["Session"]);
