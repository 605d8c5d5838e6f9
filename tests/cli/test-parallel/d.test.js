import { expect, test } from "bun:test";

test("d1", () => expect({ a: 1 }).toMatchSnapshot());
