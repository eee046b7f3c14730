import type { ValveStep } from "../ports/durable.ts";
import type { Timers } from "../ports/timers.ts";
import type { PutDown } from "./channel-presses.ts";
import type { DurableWriter } from "./durable-writer.ts";

/** ms that a joint step waits for a channel that is busy with something else; it goes by itself then. */
export const JOINT_MS = 500;

/** One durable step that several channels share (RUN-5): all of it is stored, or nothing. */
export interface JointStep {
  /** How one of them puts its part down. */
  partOf(member: string): PutDown;
  /** A member has nothing to put down, or has done so. */
  without(member: string): void;
}

/** @param members who puts a part down, or says that it does not */
export function createJointStep(
  members: readonly string[],
  { durable, timers }: { durable: Pick<DurableWriter, "must">; timers: Timers },
): JointStep {
  const awaited = new Set(members);
  const parts: ValveStep[] = [];
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    write = resolve;
  }).then(() =>
    durable.must({
      intents: parts.flatMap(({ intents }) => intents ?? []),
      commands: parts.flatMap(({ commands }) => commands ?? []),
    }),
  );
  // Whoever put a part down hears of a failure; with no part there is nobody to hear, and nothing was lost.
  written.catch(() => undefined);
  let late = false;
  const go = (): void => {
    late = true;
    timer.cancel();
    if (parts.length > 0) write();
  };
  const timer = timers.after(JOINT_MS, go);
  const done = (member: string): void => {
    if (awaited.delete(member) && awaited.size === 0 && !late) go();
  };
  return {
    partOf: (member) => (step) => {
      if (late) return durable.must(step);
      parts.push(step);
      done(member);
      return written;
    },
    without: done,
  };
}
