// node:path -- the functions for this system's paths, which are posix ones (Node: path).
return require("node:path/posix");
