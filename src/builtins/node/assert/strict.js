// node:assert/strict -- the strict functions of node:assert under the plain names.
return require("node:assert").strict;
