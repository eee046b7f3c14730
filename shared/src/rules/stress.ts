/** Levels of leaf and heat stress that a LAT device reports, mildest first; `none` is no data. */
export type StressLevel = "none" | "safe" | "noEffect" | "mild" | "severe" | "verySevere" | "danger";

/** Legend order, and the colour of each level (spec 4, map markers). */
export const STRESS_COLOURS: Readonly<Record<StressLevel, string>> = {
  none: "#8F9BA2",
  safe: "#8CCB7E",
  noEffect: "#F2C811",
  mild: "#F08A24",
  severe: "#D7263D",
  verySevere: "#7B3FA0",
  danger: "#111111",
};

const UPPER_BOUNDS: readonly (readonly [number, StressLevel])[] = [
  [68, "safe"],
  [73, "noEffect"],
  [80, "mild"],
  [89, "severe"],
  [98, "verySevere"],
  [100, "danger"],
];

/**
 * Return the level of a stress index: rounded, clamped to 64–100; a missing or non-numeric index is `none`.
 */
export function stressLevel(stress: unknown): StressLevel {
  if (stress === null || stress === undefined || stress === "") return "none";
  const number = Number(stress);
  if (!Number.isFinite(number)) return "none";
  const index = Math.min(100, Math.max(64, Math.round(number)));
  return UPPER_BOUNDS.find(([upper]) => index <= upper)?.[1] ?? "danger";
}
