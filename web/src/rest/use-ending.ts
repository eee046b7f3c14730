import { useState } from "react";
import { errorReason } from "./error-reason.ts";
import { ApiError } from "./errors.ts";

/** Confirmed removal of one item of a list, such as a session or a screen. */
export interface Ending<Thing> {
  /** Item in question; null: none. */
  readonly thing: Thing | null;
  readonly busy: boolean;
  /** Error of the last try, for `labels.error`. */
  readonly failure: string | null;
  ask(thing: Thing): void;
  cancel(): void;
  confirm(): void;
}

/**
 * @param end the call; a 404 means that the item is already gone, which counts as success
 * @param ended called after success
 */
export function useEnding<Thing>(end: (thing: Thing) => Promise<void>, ended: () => void): Ending<Thing> {
  const [thing, setThing] = useState<Thing | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (asked: Thing) => {
    setBusy(true);
    setFailure(null);
    try {
      await end(asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) {
        setFailure(errorReason(error));
        return;
      }
    } finally {
      setBusy(false);
    }
    setThing(null);
    ended();
  };
  return {
    thing,
    busy,
    failure,
    ask(asked) {
      setFailure(null);
      setThing(asked);
    },
    cancel() {
      setThing(null);
      setFailure(null);
    },
    confirm() {
      if (thing !== null) void run(thing);
    },
  };
}
