import type { HistoryQuery } from "@mulkko/shared/rest/history";
import { type BucketGrid, bucketGrid } from "../core/bucket-grid.ts";
import { RelayError } from "../plugins/relay-error.ts";
import { HISTORY_LIMITS } from "./limits.ts";

/** A checked question for history; times are ms UTC. */
export interface HistoryQuestion {
  readonly ids: readonly string[];
  /** undefined: all fields. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly from: number;
  readonly to: number;
  readonly grid: BucketGrid;
}

const refuse = (field: string, defaultMessage: string): RelayError =>
  new RelayError(422, "validation", `${field} ${defaultMessage}`, [{ field, defaultMessage }]);

const namesOf = (list: string | undefined): string[] => [
  ...new Set(
    (list ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
];

/** @throws RelayError 422 naming the field */
export function questionOf(query: HistoryQuery): HistoryQuestion {
  const ids = namesOf(query.ids);
  const fields = namesOf(query.fields);
  const from = Date.parse(query.from);
  const to = Date.parse(query.to);
  if (ids.length === 0 || ids.length > HISTORY_LIMITS.ids)
    throw refuse("ids", `must be 1 to ${HISTORY_LIMITS.ids}`);
  if (fields.length > HISTORY_LIMITS.fields)
    throw refuse("fields", `must be at most ${HISTORY_LIMITS.fields}`);
  if (Number.isNaN(from)) throw refuse("from", "is no time");
  if (Number.isNaN(to) || to <= from) throw refuse("to", "must lie after from");
  if (to - from > HISTORY_LIMITS.rangeMs) throw refuse("to", "lies too far after from");
  return {
    ids,
    fields: fields.length > 0 ? new Set(fields) : undefined,
    from,
    to,
    grid: bucketGrid(from, to, query.buckets ?? 300),
  };
}
