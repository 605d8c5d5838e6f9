// node:wasi -- the name of Node's WASI (Node: wasi), which is not there yet.
require("internal/unavailable").define(exports, "wasi", ["WASI"]);
