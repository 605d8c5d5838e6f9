import { x } from "./both.mjs";
