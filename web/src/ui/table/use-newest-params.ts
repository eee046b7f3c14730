import { useCallback, useLayoutEffect, useRef } from "react";
import { type NavigateOptions, useSearchParams } from "react-router-dom";

/** The search of the address as it is drawn, and a way to change it. */
export interface NewestParams {
  readonly params: URLSearchParams;
  change(edit: (params: URLSearchParams) => void, options?: NavigateOptions): void;
}

/**
 * Changes what was last asked for, not what was last drawn: of two changes in quick succession the second would
 * otherwise undo the first, as the router draws a little later than it is told.
 */
export function useNewestParams(): NewestParams {
  const [params, setParams] = useSearchParams();
  const newest = useRef(params);
  useLayoutEffect(() => {
    newest.current = params;
  }, [params]);
  const change = useCallback(
    (edit: (params: URLSearchParams) => void, options?: NavigateOptions) => {
      const changed = new URLSearchParams(newest.current);
      edit(changed);
      newest.current = changed;
      setParams(changed, options);
    },
    [setParams],
  );
  return { params, change };
}
