import "./lib/Third.js";
