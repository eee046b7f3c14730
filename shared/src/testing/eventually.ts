import { vi } from "vitest";

/** As long as a machine with much else to do may take for what an idle one does at once, ms. */
const PATIENCE_MS = 20_000;

/**
 * Asks again and again until it proves true; Vitest's own second is too short for a busy machine.
 *
 * @param proof throws as long as it is not so
 * @returns what the proof gives in the end; rejects with its last error
 */
export const eventually = <T>(proof: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(proof, { timeout: PATIENCE_MS, interval: 25 });
