import { STRESS_COLOURS, type StressLevel, stressLevel } from "@mulkko/shared/rules/stress";

/** A line of the legend: a level, and the indexes that it stands for; null for no data. */
export interface LegendLine {
  readonly level: StressLevel;
  readonly range: readonly [from: number, to: number] | null;
}

/** Indexes that devices report (spec 4). */
const INDEXES = { from: 64, to: 100 } as const;

const isLevel = (level: string): level is StressLevel => level in STRESS_COLOURS;

/** The legend, mildest first, with the indexes that the rule gives each level. */
export function legendLines(): LegendLine[] {
  const indexes = Array.from({ length: INDEXES.to - INDEXES.from + 1 }, (_, step) => INDEXES.from + step);
  return Object.keys(STRESS_COLOURS)
    .filter(isLevel)
    .map((level) => {
      const mine = indexes.filter((index) => stressLevel(index) === level);
      const [first, last] = [mine[0], mine.at(-1)];
      return { level, range: first === undefined || last === undefined ? null : [first, last] };
    });
}
