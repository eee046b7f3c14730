/** Generate a day of a slow curve with some noise, every half hour; the gap is where a device was silent. */
export function sampleDay(
  middle: number,
  swing: number,
  gap: readonly [number, number] = [0, 0],
): (number | null)[] {
  return Array.from({ length: 48 }, (_, i) =>
    i >= gap[0] && i < gap[1]
      ? null
      : middle +
        swing * Math.sin(i / 7.5) +
        swing * 0.3 * Math.sin(i * 1.7) +
        swing * 0.15 * Math.cos(i * 4.1),
  );
}
