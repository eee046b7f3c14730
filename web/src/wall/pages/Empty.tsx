import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLink } from "../../live/hooks.ts";

/** Show an empty page with the reason. Before the first farm data the reason is unknown. */
export function Empty({ children }: { children: ReactNode }) {
  const { t } = useTranslation("wall");
  const everSynced = useLink((link) => link.everSynced);
  const starting = useLink((link) => link.screen.state === "starting");
  return (
    <p className="wall-empty" data-testid="wall-empty">
      {everSynced ? children : t(starting ? "starting" : "freshness.never")}
    </p>
  );
}
