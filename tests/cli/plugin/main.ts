import shout from "./text.shout";
import color, { name, namespace } from "color:red";
import { long } from "short";
import { a } from "./x.conf";
import { mode } from "virtual:env";
import { sum } from "virtual:code";
const text: string = shout;
console.log(text, color, name, namespace, long, a, mode, sum(1));
console.log(require("virtual:env").mode, require("./x.conf"), (await import("./text.shout")).default);
