/** A line of a plot; each has a scale of its own, from 0 to its maximum. */
export interface PlotLine {
  readonly name: string;
  readonly color: string;
  /** Format a value. */
  readonly say: (value: number) => string;
  readonly points: readonly (readonly [turn: number, value: number])[];
}

/** A fault or action during the run. */
export interface PlotMark {
  readonly turn: number;
  readonly name: string;
}

const WIDTH = 960;
const LANE = 110;
const LEFT = 190;
const RIGHT = 110;
const TOP = 40;
const BOTTOM = 36;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draw lines below each other over the same turns, as an SVG document. */
export function plot(title: string, lines: readonly PlotLine[], marks: readonly PlotMark[]): string {
  const last = Math.max(1, ...lines.flatMap(({ points }) => points.map(([turn]) => turn)));
  const height = TOP + lines.length * LANE + BOTTOM;
  const x = (turn: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * turn) / last;
  const text = (at: number, y: number, words: string, rest = "") =>
    `<text x="${at.toFixed(1)}" y="${y}" ${rest}>${escaped(words)}</text>`;
  const parts = lines.map(({ name, color, say, points }, index) => {
    const floor = TOP + (index + 1) * LANE - 18;
    const most = Math.max(1, ...points.map(([, value]) => value));
    const y = (value: number): number => floor - ((LANE - 36) * value) / most;
    const path = points
      .map(([turn, value], at) => `${at === 0 ? "M" : "L"}${x(turn).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("");
    const newest = points.at(-1)?.[1] ?? 0;
    return [
      `<path d="M${LEFT} ${floor}H${WIDTH - RIGHT}" stroke="#c9d1d5"/>`,
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      text(16, floor - 24, name, 'font-weight="600"'),
      text(WIDTH - RIGHT + 8, y(newest) + 4, say(newest)),
    ].join("");
  });
  const drawnMarks = marks.map(
    ({ turn, name }, index) =>
      `<path d="M${x(turn).toFixed(1)} ${TOP - 6}V${height - BOTTOM}" stroke="#9a4a00" stroke-dasharray="3 4"/>` +
      text(x(turn) + 4, TOP + 4 + (index % 3) * 13, name, 'font-size="11" fill="#9a4a00"'),
  );
  const half = `<rect x="${x(last / 2).toFixed(1)}" y="${TOP - 6}" width="${(x(last) - x(last / 2)).toFixed(1)}" height="${height - BOTTOM - TOP + 6}" fill="#eef1f2"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" fill="#14191c">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>${half}
${text(16, 22, title, 'font-size="15" font-weight="600"')}
${parts.join("\n")}
${drawnMarks.join("\n")}
${text(LEFT, height - 12, "0")}${text(x(last) - 60, height - 12, `${last} turns`)}
</svg>
`;
}
