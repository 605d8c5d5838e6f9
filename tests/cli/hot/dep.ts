import { kind } from "./data.json";
export const value: string = `${kind} 1`;
import.meta.hot?.dispose((data) => {
  data.left = value;
  console.log("dispose", value);
});
if (import.meta.hot?.data.left) console.log("left", import.meta.hot.data.left);
