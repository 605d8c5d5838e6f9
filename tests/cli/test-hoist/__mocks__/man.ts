import { vi } from "vitest";
export const who = vi.fn(() => "manual");
