import { expect, test, vi } from "vitest";

test("environment and globals", () => {
  vi.stubEnv("FOO", "1");
  expect(process.env.FOO).toBe("1");
  vi.unstubAllEnvs();
  expect(process.env.FOO).toBeUndefined();
  vi.stubGlobal("stubbed", 4);
  expect(stubbed).toBe(4);
  vi.unstubAllGlobals();
  expect(typeof stubbed).toBe("undefined");
});
test("waiting", async () => {
  let n = 0;
  const value = await vi.waitFor(() => {
    if (n++ < 3) throw new Error("not yet");
    return n;
  }, { interval: 1 });
  expect(value).toBe(4);
  expect(await vi.waitUntil(() => n++ > 5 && "done", { interval: 1 })).toBe("done");
  const never = vi.waitUntil(() => false, { timeout: 5, interval: 1 });
  await expect(never).rejects.toThrow("Timed out");
});
