import inner from "self/inner";
import again from "#inner";
console.log(typeof module, inner, inner === again);
