import type { ImportProgress } from "@mulkko/shared/rest/import";

const WIDTH = 30;
const MIB = 1024 * 1024;
const count = new Intl.NumberFormat("en-US");
const mib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Format `[######----] 60 %  1.2 of 2.0 MiB`. @param of 0 counts as done */
export function barOf(bytes: number, of: number): string {
  const share = of > 0 ? Math.min(1, bytes / of) : 1;
  const filled = Math.round(share * WIDTH);
  const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${mib(bytes)} of ${mib(of)} MiB`;
}

export function progressLine({
  bytesRead,
  bytesTotal,
  readingsStored,
  rowsRejected,
}: ImportProgress): string {
  const rejected = rowsRejected > 0 ? `, ${count.format(rowsRejected)} rows rejected` : "";
  return `${barOf(bytesRead, bytesTotal)}  ${count.format(readingsStored)} readings${rejected}`;
}

/** True where some content of the file is not stored. */
export const hasRejects = ({ rowsRejected, valuesRejected }: ImportProgress): boolean =>
  rowsRejected + valuesRejected > 0;

const rejectLine = ({ line, column, reason, value }: ImportProgress["rejects"][number]): string => {
  const where = column === null ? `line ${line}` : `line ${line}, ${column}`;
  return `  ${where}: ${reason}${value === "" ? "" : ` (${value})`}`;
};

/** Format the result of an import, line by line. */
export function reportLines(progress: ImportProgress): string[] {
  const { rows, rowsIgnored, rowsEmpty, rowsRejected, valuesRejected, reasons, rejects } = progress;
  const lines = [
    `${count.format(progress.readingsStored)} readings stored, ${count.format(progress.readingsKnown)} known before or twice in the file`,
    `${count.format(rows)} rows: ${count.format(rowsRejected)} rejected, ${count.format(rowsEmpty)} without a value, ${count.format(rowsIgnored)} more ignored; ${count.format(valuesRejected)} values rejected in rows of which the rest was taken`,
  ];
  const why = Object.entries(reasons).map(([reason, times]) => `${reason} ${count.format(times)}`);
  if (why.length > 0) lines.push(`Why: ${why.join(", ")}`);
  lines.push(...rejects.map(rejectLine));
  const all = Object.values(reasons).reduce((sum, times) => sum + times, 0);
  if (all > rejects.length) lines.push(`  … and ${count.format(all - rejects.length)} more`);
  return lines;
}
