test("a global", () => { expect(typeof jest.fn).toBe("function"); });
