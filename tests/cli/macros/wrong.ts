import { no } from "./macros.ts" with { type: "macro" }; no();
