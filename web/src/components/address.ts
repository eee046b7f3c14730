import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from "react-router-dom";

/** The newest requested search of the address, and a function to change it. */
export interface NewestParams {
  readonly params: URLSearchParams;
  /** The search that the router has rendered. */
  readonly drawn: URLSearchParams;
  /** @param edit returns the next search; may edit its argument, a copy */
  change(edit: (params: URLSearchParams) => URLSearchParams, options?: NavigateOptions): void;
}

/**
 * Return the newest requested search. The router renders a change later than requested; until then this value
 * is ahead. Two quick changes therefore both stay, and typed text shows at once. An input that is reset for a
 * moment loses letters and breaks off a syllable in composition.
 *
 * Not for a change that a `LeaveGuard` may block: the value would stay ahead of the address.
 */
export function useNewestParams(): NewestParams {
  const [drawn] = useSearchParams();
  const { key } = useLocation();
  const navigate = useNavigate();
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
    (edit: (params: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => {
      const changed = edit(new URLSearchParams(newest.current));
      newest.current = changed;
      coming.current = [...coming.current, changed.toString()];
      setAhead(changed);
      void navigate(`?${changed}`, options);
    },
    [navigate],
  );
  return { params: ahead ?? drawn, drawn, change };
}

/** Return the search with one parameter set; null removes it. */
export function withParam(params: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}

/** Return the unique ids of a comma-separated parameter, at most `max`. */
export function readIds(params: URLSearchParams, name: string, max: number): readonly string[] {
  const ids = (params.get(name) ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, max);
}

/** Return the search with a list of ids; an empty list leaves no parameter. */
export const withIds = (params: URLSearchParams, name: string, ids: readonly string[]): URLSearchParams =>
  withParam(params, name, ids.length === 0 ? null : ids.join(","));

/** Add an id to a list, or remove it. */
export const toggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
