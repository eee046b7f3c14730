import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { Quality } from "@mulkko/shared/rules/quality";
import { waterOf } from "../../domain/watering/water-sum.ts";
import type { FarmUnit } from "./farm-list.ts";

/** A channel in the question before a close-all. */
export interface QuestionedValve {
  readonly id: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
  readonly mode: "automatic" | "period" | "reservation" | "none";
}

/** Facts that the user needs before closing all valves. */
export interface ClosingQuestion {
  /** Valves that get a close command. */
  readonly valves: number;
  readonly open: readonly QuestionedValve[];
  /** Not open by the last report, and that report is not live: missing, late, or from a lost connection. */
  readonly unknown: readonly QuestionedValve[];
  /** Closed or not, a mode in charge may open them again. */
  readonly mayReopen: readonly QuestionedValve[];
  /** Closed or not, a mode may open them again: the farm API does not report which one is in charge (MODE-4). */
  readonly modeUnknown: readonly QuestionedValve[];
}

export function questionOf(
  units: readonly FarmUnit[],
  channels: ReadonlyMap<string, ChannelValue>,
  links: Quality,
): ClosingQuestion {
  const open: QuestionedValve[] = [];
  const unknown: QuestionedValve[] = [];
  const mayReopen: QuestionedValve[] = [];
  const modeUnknown: QuestionedValve[] = [];
  let valves = 0;
  for (const box of units) {
    for (const { id, name, number } of box.channels) {
      const channel = channels.get(id);
      if (!channel) continue;
      valves += 1;
      const mode = channel.modes?.active ?? "none";
      const valve = { id, name, number, mode };
      const water = waterOf(channel, links);
      if (water === "runs" || water === "ran") open.push(valve);
      else if (water === "unknown") unknown.push(valve);
      if (channel.modes === null) modeUnknown.push(valve);
      else if (mode !== "none") mayReopen.push(valve);
    }
  }
  return { valves, open, unknown, mayReopen, modeUnknown };
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
    sameValves(a.mayReopen, b.mayReopen) &&
    sameValves(a.modeUnknown, b.modeUnknown)
  );
}
