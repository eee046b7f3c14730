import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { acceptGone } from "./errors.ts";

/**
 * Remove one item of a list, such as a session, a screen or a farm, after a confirmation.
 *
 * @param end the call; a 404 means that the item is already gone, which counts as success
 * @param ended called after success
 */
export function useEnding<Thing>(end: (thing: Thing) => Promise<void>, ended: () => void) {
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
    /** Item in question; null: none. */
    thing,
    busy: isPending,
    /** Error of the last try. */
    error,
    ask: (asked: Thing) => open(asked),
    cancel: () => open(null),
    confirm() {
      if (thing !== null) mutate(thing);
    },
  };
}
