test("b", () => { expect(typeof leak).toBe("undefined"); expect(kept).toBe(1); expect(typeof fetch + typeof Set).toBe("functionfunction"); });
