import { patch } from "./macros.ts" with { type: "macro" }; patch();
