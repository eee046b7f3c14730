import type { Timers } from "@mulkko/shared/rules/clock";
import { UpstreamUnreachableError } from "../upstream/errors.ts";

/**
 * Wait for a result within a time limit. After it the caller gets an error that the farm API is unavailable
 * and nothing was done (CMD-7).
 *
 * @throws UpstreamUnreachableError
 */
export async function withTimeout<T>(timers: Timers, ms: number, reached: Promise<T>): Promise<T> {
  let timer: { cancel(): void } | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = timers.after(ms, () =>
      reject(
        new UpstreamUnreachableError("the farm API did not answer in time", "timeout", {
          mayHaveExecuted: false,
        }),
      ),
    );
  });
  try {
    return await Promise.race([reached, late]);
  } finally {
    timer?.cancel();
  }
}
