import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNewestParams, withParam } from "../../components/address.ts";
import { type FleetFilter, filterIn, withFilter } from "../../domain/fleet/filter.ts";

export const VIEWS = ["list", "tight", "map"] as const;
type View = (typeof VIEWS)[number];

/** Delay after typing before the address changes, ms. */
const TYPED_MS = 300;

const asWritten = (text: string): string => (text.trim() === "" ? "" : text);

/** Return the filters and view of the board in the address, for links and reloads. */
export function useFleetAddress() {
  const { params, drawn, change } = useNewestParams();
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
      change((before) => withFilter(before, { ...filterIn(before), text }), { replace: true });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, change]);

  const query = params.toString();
  const filter = useMemo(() => ({ ...filterIn(new URLSearchParams(query)), text }), [query, text]);
  const asked = params.get("view");
  const onPick = useCallback(
    (key: string | null) =>
      change((before) => withParam(before, "id", key === null ? null : key.slice("device:".length)), {
        replace: true,
      }),
    [change],
  );
  // A sheet closes when the address changes, so it opens once this one is rendered.
  const id = drawn.get("id");
  return {
    filter,
    view: VIEWS.find((view) => view === asked) ?? "list",
    /** Key of the open device. */
    picked: id === null ? null : `device:${id}`,
    onFilter(next: FleetFilter) {
      written.current = asWritten(next.text);
      setText(next.text);
      change((before) => withFilter(before, next), { replace: true });
    },
    onText: setText,
    onView(view: View) {
      change((before) => withParam(before, "view", view === "list" ? null : view), { replace: true });
    },
    onPick,
  };
}
