import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { type NavigateOptions, useLocation, useSearchParams } from "react-router-dom";

/** The newest requested search of the address, and a function to change it. */
export interface NewestParams {
  readonly params: URLSearchParams;
  change(edit: (params: URLSearchParams) => void, options?: NavigateOptions): void;
}

/**
 * Return the newest requested search. The router renders a change later than requested; until then this value
 * is ahead. Two quick changes therefore both stay, and typed text shows at once. An input that is reset for a
 * moment loses letters and breaks off a syllable in composition.
 */
export function useNewestParams(): NewestParams {
  const [drawn, setParams] = useSearchParams();
  const { key } = useLocation();
  const newest = useRef(drawn);
  /** Requested changes not rendered yet, oldest first; the router may skip all but the last. */
  const coming = useRef<readonly string[]>([]);
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` also reports a change back to the same search
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
