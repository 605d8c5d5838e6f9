import { sep } from "node:path"; const a: string = sep; console.log(a);
