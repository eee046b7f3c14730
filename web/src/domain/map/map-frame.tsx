import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorBoundary } from "../../components/error-boundary.tsx";
import { MapNote } from "./map-note.tsx";
import { hasWebgl } from "./webgl.ts";
import "./map-frame.css";

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
