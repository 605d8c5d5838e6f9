// node:console -- the global console, which has Console as a property (Node: console).
return require("web/console").console;
