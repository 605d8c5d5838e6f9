/** @jsxImportSource rt */
import { get } from "./dep";

vi.mock("./dep", () => ({ get: () => "mocked" }));
test("elements", () => expect(<b>{get()}</b>).toBe("b:mocked"));
