import { foo } from "./dep"; import d from "./dep"; export const use = () => foo() + d;
