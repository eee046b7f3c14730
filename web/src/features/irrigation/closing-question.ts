import type { ChannelValue } from "@mulkko/shared/live/devices";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import type { FarmBox } from "./farm-list.ts";

/** A channel in the question before a close-all. */
export interface QuestionedValve {
  readonly id: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
  readonly mode: "automatic" | "period" | "reservation" | "none";
}

/** What a person should know before all is closed. */
export interface ClosingQuestion {
  /** All that will be told to close. */
  readonly valves: number;
  readonly open: readonly QuestionedValve[];
  /** Not open by the last report, and that report is not live: never heard, late, or with a lost connection. */
  readonly unknown: readonly QuestionedValve[];
  /** Closed or not, a mode in charge may open them again. */
  readonly mayReopen: readonly QuestionedValve[];
}

export function questionOf(
  boxes: readonly FarmBox[],
  channels: ReadonlyMap<string, ChannelValue>,
): ClosingQuestion {
  const open: QuestionedValve[] = [];
  const unknown: QuestionedValve[] = [];
  const mayReopen: QuestionedValve[] = [];
  let valves = 0;
  for (const box of boxes) {
    for (const { id, name, number } of box.channels) {
      const channel = channels.get(id);
      if (!channel) continue;
      valves += 1;
      const mode = channel.modes?.active ?? "none";
      const valve = { id, name, number, mode };
      const live = drawnQuality(channel) === "fresh";
      if (channel.onoff === 1) open.push(valve);
      else if (channel.onoff === 0 || !live) unknown.push(valve);
      if (mode !== "none") mayReopen.push(valve);
    }
  }
  return { valves, open, unknown, mayReopen };
}

const sameValves = (a: readonly QuestionedValve[], b: readonly QuestionedValve[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ id, name, mode }, index) => id === b[index]?.id && name === b[index].name && mode === b[index].mode,
  );

export function sameQuestion(a: ClosingQuestion, b: ClosingQuestion): boolean {
  return (
    a.valves === b.valves &&
    sameValves(a.open, b.open) &&
    sameValves(a.unknown, b.unknown) &&
    sameValves(a.mayReopen, b.mayReopen)
  );
}
