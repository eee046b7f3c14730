import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { type FleetFilter, filterIn, withFilter } from "../../domain/fleet/filter.ts";

export const VIEWS = ["list", "tight", "map"] as const;
type View = (typeof VIEWS)[number];

/** Delay after typing before the address changes, ms. */
const TYPED_MS = 300;

const asWritten = (text: string): string => (text.trim() === "" ? "" : text);

const withValue = (params: URLSearchParams, name: string, value: string | null): URLSearchParams => {
  const next = new URLSearchParams(params);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
};

/** Return the filters and view of the board in the address, for links and reloads. */
export function useFleetAddress() {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get("q") ?? "";
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  useEffect(() => {
    // React only to an address that a link or back navigation changed, not to the one written here.
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (asWritten(text) === written.current) return;
    const timer = setTimeout(() => {
      written.current = asWritten(text);
      setParams((before) => withFilter(before, { ...filterIn(before), text }), { replace: true });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, setParams]);

  const query = params.toString();
  const filter = useMemo(() => ({ ...filterIn(new URLSearchParams(query)), text }), [query, text]);
  const asked = params.get("view");
  const onPick = useCallback(
    (key: string | null) =>
      setParams((before) => withValue(before, "id", key === null ? null : key.slice("device:".length)), {
        replace: true,
      }),
    [setParams],
  );
  const id = params.get("id");
  return {
    filter,
    view: VIEWS.find((view) => view === asked) ?? "list",
    /** Key of the open device. */
    picked: id === null ? null : `device:${id}`,
    onFilter(next: FleetFilter) {
      written.current = asWritten(next.text);
      setText(next.text);
      setParams((before) => withFilter(before, next), { replace: true });
    },
    onText: setText,
    onView(view: View) {
      setParams((before) => withValue(before, "view", view === "list" ? null : view), { replace: true });
    },
    onPick,
  };
}
