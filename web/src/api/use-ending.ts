import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { acceptGone } from "./errors.ts";

/** Confirmed removal of one item of a list, such as a session, a screen or a farm. */
export interface Ending<Thing> {
  /** Item in question; null: none. */
  readonly thing: Thing | null;
  readonly busy: boolean;
  /** Error of the last try. */
  readonly error: Error | null;
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
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (asked: Thing) => end(asked).catch(acceptGone),
    onSuccess() {
      setThing(null);
      ended();
    },
  });
  const open = (asked: Thing | null) => {
    reset();
    setThing(asked);
  };
  return {
    thing,
    busy: isPending,
    error,
    ask: open,
    cancel: () => open(null),
    confirm() {
      if (thing !== null) mutate(thing);
    },
  };
}
