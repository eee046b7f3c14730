import type { OddFields } from "@mulkko/shared/rest/odd-fields";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { OddField } from "@mulkko/shared/schema/mend";
import { LRUCache } from "lru-cache";
import type { Log } from "../runtime/log.ts";

/**
 * Fields and rows of the farm API's answers that violated the contract and were ignored, for the
 * administrator.
 */
export interface OddAnswers {
  note(unit: string, fields: readonly OddField[]): void;
  /** Newest first. */
  list(): OddFields["odd"];
}

interface Noted {
  readonly unit: string;
  readonly field: string;
  readonly rows: Set<string>;
  count: number;
  lastAt: number;
}

/** Upper bound of remembered fields; the field seen least recently is evicted. */
const FIELDS = 200;
/** Number of rows listed per field. */
const ROWS = 20;

export function createOddAnswers(deps: { clock: Pick<Clock, "now">; log: Log }): OddAnswers {
  const noted = new LRUCache<string, Noted>({ max: FIELDS });

  const noteOne = (unit: string, { field, row }: OddField): void => {
    const key = `${unit} ${field}`;
    const one = noted.get(key) ?? { unit, field, rows: new Set<string>(), count: 0, lastAt: 0 };
    if (!noted.has(key))
      deps.log.warn({ event: "odd-field", unit, field, row }, "ignored unexpected field of the farm API");
    noted.set(key, one);
    one.count += 1;
    one.lastAt = deps.clock.now();
    if (row !== null && one.rows.size < ROWS) one.rows.add(row);
  };
  return {
    note(unit, fields) {
      for (const field of fields) noteOne(unit, field);
    },
    list: () =>
      [...noted.values()].map(({ unit, field, rows, count, lastAt }) => ({
        unit,
        field,
        rows: [...rows],
        count,
        lastAt: new Date(lastAt).toISOString(),
      })),
  };
}
