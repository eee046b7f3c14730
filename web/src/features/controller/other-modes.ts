import type { Mode } from "../../api/modes.ts";

/** Calls for switching the other modes off. */
export interface OtherModeCalls {
  /** Read the modes that the channel reports as on; null if it does not report them. */
  read(): Promise<readonly Mode[] | null>;
  reset(mode: Mode): Promise<void>;
  pause(ms: number): Promise<void>;
}

/** Number of reads with a pause between them, because a device may take some seconds to report. */
const MAX_READS = 6;
const PAUSE_MS = 2_000;

/**
 * After saving a mode, reset every other mode that the channel still reports as on (MODE-4). An API that
 * switches them off by itself first gets time to report that, because a reset clears values.
 *
 * @returns the modes still reported as on; null if modes are not reported
 */
export async function switchOthersOff(mode: Mode, calls: OtherModeCalls): Promise<readonly Mode[] | null> {
  const othersOf = (on: readonly Mode[]): readonly Mode[] => on.filter((each) => each !== mode);
  const readUntil = async (isSettled: (on: readonly Mode[]) => boolean): Promise<readonly Mode[] | null> => {
    let on = await calls.read();
    for (let attempt = 1; attempt < MAX_READS && on !== null && !isSettled(on); attempt += 1) {
      await calls.pause(PAUSE_MS);
      on = await calls.read();
    }
    return on;
  };
  const on = await readUntil((reported) => reported.includes(mode) || othersOf(reported).length === 0);
  if (on === null) return null;
  const others = othersOf(on);
  if (others.length === 0) return others;
  for (const other of others) await calls.reset(other);
  const after = await readUntil((reported) => othersOf(reported).length === 0);
  return after === null ? null : othersOf(after);
}
