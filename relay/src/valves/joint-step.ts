import type { Timers } from "@mulkko/shared/rules/clock";
import type { ValveStep } from "../store/durable.ts";
import type { Persist } from "./channel.ts";
import type { DurableWriter } from "./durable-writer.ts";

/** ms that a joint step waits for a busy channel. That channel then writes its step alone. */
export const JOINT_MS = 500;

/** One durable step that several channels share (RUN-5): all of it is stored, or nothing. */
export interface JointStep {
  /** Return the function by which a member persists its part. */
  partOf(member: string): Persist;
  /** Note that a member has nothing to persist, or has done so. */
  without(member: string): void;
}

/**
 * Create a joint step.
 * @param members channels that persist a part, or leave the step
 */
export function createJointStep(
  members: readonly string[],
  durable: Pick<DurableWriter, "must">,
  timers: Timers,
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
  // The members with a part receive a failure. Without a part nothing was lost.
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
