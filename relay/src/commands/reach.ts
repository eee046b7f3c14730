import type { Timers } from "../ports/timers.ts";
import { UpstreamUnreachableError } from "../upstream/errors.ts";

/**
 * What comes within so many ms; whoever waits for longer is told that the farm API is away, and that nothing was
 * done (CMD-7).
 *
 * @throws UpstreamUnreachableError
 */
export async function reachWithin<T>(timers: Timers, ms: number, reached: Promise<T>): Promise<T> {
  let timer: { cancel(): void } | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = timers.after(ms, () =>
      reject(
        new UpstreamUnreachableError("the farm API does not answer in time", "timeout", {
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
