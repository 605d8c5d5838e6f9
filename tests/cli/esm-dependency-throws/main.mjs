import "./first.mjs";
import "./bad.mjs";
import "./never.mjs";
console.log("never");
