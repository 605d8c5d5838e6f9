console.log("never");
import "./bad.mjs";
