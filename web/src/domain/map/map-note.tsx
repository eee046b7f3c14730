import type { ReactNode } from "react";
import "./map-note.css";

/** Text in the place of a map, or, `quiet`, at its upper edge. */
export function MapNote({ quiet = false, children }: { quiet?: boolean; children: ReactNode }) {
  return (
    <p
      className={quiet ? "map-note map-note--quiet" : "map-note"}
      data-testid="map-note"
      data-quiet={quiet || undefined}
      role="status"
    >
      {children}
    </p>
  );
}
