import { useRef, useState } from "react";
import type { RestClient } from "../rest/client.ts";
import { ApiError, type CallFailure, callFailure } from "../rest/errors.ts";
import { useRest } from "../rest/hooks.ts";

/** A row that may go. */
export interface Deletable {
  readonly id: string;
  readonly name: string;
}

/** What became of one row; `untried`: it was stopped before its turn. */
type DeletionOutcome = { readonly state: "gone" | "untried" } | ({ readonly state: "failed" } & CallFailure);

type DeletionResult = Deletable & DeletionOutcome;

/** How far a deletion of several rows has come. */
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
  /** Ends asking; under way it stops after the row that is being deleted; afterwards it closes the results. */
  close(): void;
}

/** A row that somebody else has deleted is gone all the same. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
/** Whoever is signed out can delete nothing more. */
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Deletes rows one after the other, after one question, and keeps what became of each.
 *
 * @param remove the call that deletes one
 * @param onDone is told the ids that are gone
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
