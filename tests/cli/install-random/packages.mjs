import { generate } from "./generate.mjs";
import { KINDS, PROJECTS, SEED } from "./count.mjs";

export default ({ publish }) => {
  for (let i = 0; i < PROJECTS; i++)
    for (const versions of Object.values(generate(SEED + i, `p${i}-`, KINDS).registry))
      for (const manifest of Object.values(versions)) publish(manifest);
};
