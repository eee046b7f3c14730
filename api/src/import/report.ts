import type { ImportReject, ImportRejectReason } from "@mulkko/shared/rest/import";

/** Most rejects listed individually; the others are counted. */
export const MAX_REJECTS = 100;
const MAX_VALUE_LENGTH = 60;

/** Result of the rows so far. */
export interface Report {
  rows: number;
  rowsIgnored: number;
  rowsEmpty: number;
  rowsRejected: number;
  valuesRejected: number;
  readingsStored: number;
  readingsKnown: number;
  readonly reasons: Partial<Record<ImportRejectReason, number>>;
  readonly rejects: ImportReject[];
}

export const emptyReport = (): Report => ({
  rows: 0,
  rowsIgnored: 0,
  rowsEmpty: 0,
  rowsRejected: 0,
  valuesRejected: 0,
  readingsStored: 0,
  readingsKnown: 0,
  reasons: {},
  rejects: [],
});

/** A rejected row or value. */
export interface Rejection {
  readonly column: string | null;
  readonly reason: ImportRejectReason;
  readonly value: string;
}

export function addRejection(report: Report, line: number, { column, reason, value }: Rejection): void {
  report.reasons[reason] = (report.reasons[reason] ?? 0) + 1;
  if (report.rejects.length >= MAX_REJECTS) return;
  report.rejects.push({ line, column, reason, value: value.slice(0, MAX_VALUE_LENGTH) });
}
