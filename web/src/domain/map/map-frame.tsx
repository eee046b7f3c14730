import "./map-frame.css";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorBoundary } from "../../components/error-boundary.tsx";

/**
 * Frame of a map: shows a text while the library loads, and another if it or WebGL is unavailable. The page
 * around a map works without it.
 */
export function MapFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  const [drawable] = useState(hasWebgl);
  const failed = <MapNote>{t("map.failed")}</MapNote>;
  return (
    <div className="map-frame" data-testid="map-frame">
      {drawable ? (
        <ErrorBoundary fallback={() => failed}>
          <Suspense fallback={<MapNote>{t("map.loading")}</MapNote>}>{children}</Suspense>
        </ErrorBoundary>
      ) : (
        failed
      )}
    </div>
  );
}

/**
 * Return true if this browser supports WebGL 2, which the map needs. The probe releases its context at once.
 */
function hasWebgl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null) return false;
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return true;
}

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
