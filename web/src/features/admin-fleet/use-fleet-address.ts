import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { type FleetFilter, filterIn, withFilter } from "../../domain/fleet/filter.ts";

export const VIEWS = ["list", "tight", "map"] as const;
export type View = (typeof VIEWS)[number];

/** Delay after typing before the address changes, ms. */
const TYPED_MS = 300;

/** Filters and view of the board in the address, for links and reloads. */
export interface FleetAddress {
  readonly filter: FleetFilter;
  readonly view: View;
  /** Key of the open device. */
  readonly picked: string | null;
  onFilter(filter: FleetFilter): void;
  onText(text: string): void;
  onView(view: View): void;
  onPick(key: string | null): void;
}

const asWritten = (text: string): string => (text.trim() === "" ? "" : text);

const withId = (params: URLSearchParams, id: string | null): URLSearchParams => {
  const next = new URLSearchParams(params);
  if (id === null) next.delete("id");
  else next.set("id", id);
  return next;
};

export function useFleetAddress(): FleetAddress {
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
      setParams((before) => withId(before, key === null ? null : key.slice("device:".length)), {
        replace: true,
      }),
    [setParams],
  );
  const id = params.get("id");
  return {
    filter,
    view: VIEWS.find((view) => view === asked) ?? "list",
    picked: id === null ? null : `device:${id}`,
    onFilter(next) {
      written.current = asWritten(next.text);
      setText(next.text);
      setParams((before) => withFilter(before, next), { replace: true });
    },
    onText: setText,
    onView(view) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (view === "list") next.delete("view");
          else next.set("view", view);
          return next;
        },
        { replace: true },
      );
    },
    onPick,
  };
}
