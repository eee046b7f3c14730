import { useMemo } from "react";
import { useTranslation } from "react-i18next";

/** Translate the labels of MapLibre's controls, by MapLibre's keys. */
export function useMapWords(): Record<string, string> {
  const { t } = useTranslation("maps");
  return useMemo(
    () => ({
      "AttributionControl.ToggleAttribution": t("control.attribution"),
      "Map.Title": t("control.map"),
      "NavigationControl.ZoomIn": t("control.zoomIn"),
      "NavigationControl.ZoomOut": t("control.zoomOut"),
    }),
    [t],
  );
}
