import { get } from "./dep";
import * as fs from "node:fs";
export const use = () => `used ${get()}`;
export const read = () => fs.readFileSync("/x");
