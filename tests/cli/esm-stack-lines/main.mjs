import { thrower } from "./lib.mjs";
try {
  thrower();
} catch (error) {
  console.log(error.stack);
}
  thrower();
