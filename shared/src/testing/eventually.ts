import { vi } from "vitest";

/** Maximum time for an immediate effect on a busy machine, ms. */
const PATIENCE_MS = 20_000;

/**
 * Repeat a check until it passes; Vitest's own second is too short for a busy machine.
 *
 * @param proof throws until the condition holds
 * @returns the result of the check; rejects with its last error
 */
export const eventually = <T>(proof: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(proof, { timeout: PATIENCE_MS, interval: 25 });
