import { vi } from "vitest";

/** Wait until a condition is true; fail after a time that is enough for a busy machine. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error("it did not become so");
    },
    { timeout: withinMs, interval: 20 },
  );
}
