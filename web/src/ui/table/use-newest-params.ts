import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { type NavigateOptions, useLocation, useSearchParams } from "react-router-dom";

/** The search of the address as it was last asked for, and a way to change it. */
export interface NewestParams {
  readonly params: URLSearchParams;
  change(edit: (params: URLSearchParams) => void, options?: NavigateOptions): void;
}

/**
 * The router draws a change a little later than it is told. Until then this is ahead of it: of two changes in quick
 * succession the second does not undo the first, and what somebody types stands in its field at once. A field that is
 * written back for a moment loses letters, and breaks off a syllable that an input method is putting together.
 */
export function useNewestParams(): NewestParams {
  const [drawn, setParams] = useSearchParams();
  const { key } = useLocation();
  const newest = useRef(drawn);
  /** What was asked for here and is still to be drawn, oldest first; the router may leave out all but the last. */
  const coming = useRef<readonly string[]>([]);
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` tells of a change that led back to the same search
  useLayoutEffect(() => {
    const at = coming.current.lastIndexOf(drawn.toString());
    coming.current = at < 0 ? [] : coming.current.slice(at + 1);
    if (coming.current.length > 0) return;
    newest.current = drawn;
    setAhead(null);
  }, [drawn, key]);
  const change = useCallback(
    (edit: (params: URLSearchParams) => void, options?: NavigateOptions) => {
      const changed = new URLSearchParams(newest.current);
      edit(changed);
      newest.current = changed;
      coming.current = [...coming.current, changed.toString()];
      setAhead(changed);
      setParams(changed, options);
    },
    [setParams],
  );
  return { params: ahead ?? drawn, change };
}
