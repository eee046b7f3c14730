/** A timer that can be called off. Timers run on the monotonic clock (RUN-4). */
export interface Timers {
  after(ms: number, run: () => void): { cancel(): void };
}
