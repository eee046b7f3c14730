import { vi } from "vitest";

/** Waits until something is so; fails after a time that a busy machine keeps as well. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error("it did not become so");
    },
    { timeout: withinMs, interval: 20 },
  );
}
