// node:util/types -- what a value is (Node: util.types).
return require("internal/util/types").types;
