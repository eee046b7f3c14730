import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLink } from "../../live/hooks.ts";

/** A page that has nothing to show: what there is none of, which nobody knows before the farm was there once. */
export function Empty({ children }: { children: ReactNode }) {
  const { t } = useTranslation("wall");
  const everSynced = useLink((link) => link.everSynced);
  const starting = useLink((link) => link.screen.state === "starting");
  return <p className="wall-empty">{everSynced ? children : t(starting ? "starting" : "truth.never")}</p>;
}
