import "#alias/linked.js";
