import { useRef, useState } from "react";
import type { RestClient } from "../../api/client.ts";
import { ApiError, type CallFailure, callFailure } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";

/** Row that can be deleted. */
export interface Deletable {
  readonly id: string;
  readonly name: string;
}

/** Result of one row; `untried`: the deletion was stopped before it. */
type DeletionOutcome = { readonly state: "gone" | "untried" } | ({ readonly state: "failed" } & CallFailure);

type DeletionResult = Deletable & DeletionOutcome;

/** Progress of a bulk deletion. */
export type BulkDeletion =
  | { readonly state: "none" }
  | { readonly state: "asking"; readonly rows: readonly Deletable[] }
  | {
      readonly state: "busy" | "done";
      readonly rows: readonly Deletable[];
      readonly results: readonly DeletionResult[];
    };

export interface BulkDeletionControl {
  readonly now: BulkDeletion;
  ask(rows: readonly Deletable[]): void;
  confirm(): void;
  /** Cancel the question; while deleting, stop after the current row; afterwards close the results. */
  close(): void;
}

/** A row that another administrator has already deleted counts as deleted. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
/** A signed-out user can delete nothing more. */
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Delete rows one after another after one confirmation, and keep the result of each.
 *
 * @param remove the call that deletes one row
 * @param onDone receives the ids of the deleted rows
 */
export function useBulkDeletion(
  remove: (rest: RestClient, id: string) => Promise<void>,
  onDone: (gone: ReadonlySet<string>) => void,
): BulkDeletionControl {
  const { client } = useRest();
  const [now, setNow] = useState<BulkDeletion>({ state: "none" });
  const stopped = useRef(false);
  const run = async (rows: readonly Deletable[]) => {
    stopped.current = false;
    const results: DeletionResult[] = [];
    setNow({ state: "busy", rows, results: [] });
    for (const row of rows) {
      if (stopped.current) break;
      let outcome: DeletionOutcome = { state: "gone" };
      try {
        await remove(client, row.id);
      } catch (error) {
        if (!isGone(error)) outcome = { state: "failed", ...callFailure(error) };
        if (isSignedOut(error)) stopped.current = true;
      }
      results.push({ ...row, ...outcome });
      setNow({ state: "busy", rows, results: [...results] });
    }
    onDone(new Set(results.filter(({ state }) => state === "gone").map(({ id }) => id)));
    const untried = rows.slice(results.length).map((row) => ({ ...row, state: "untried" as const }));
    setNow({ state: "done", rows, results: [...results, ...untried] });
  };
  return {
    now,
    ask: (rows) => setNow({ state: "asking", rows }),
    confirm() {
      if (now.state === "asking") void run(now.rows);
    },
    close() {
      if (now.state === "busy") stopped.current = true;
      else setNow({ state: "none" });
    },
  };
}
