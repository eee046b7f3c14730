import { UnplugIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useWall } from "../wall-context.ts";
import type { Verdict } from "./verdict.ts";
import "./stale-banner.css";

/** Show the time of the displayed values when they are outdated, and the broken link. */
export function StaleBanner({ verdict }: { verdict: Extract<Verdict, { kind: "stale" }> }) {
  const { t } = useTranslation("wall");
  const { words } = useWall();
  return (
    <div className="stale-banner" data-testid="stale-banner" role="status">
      <UnplugIcon />
      <strong>
        {verdict.asOf === null
          ? t("freshness.never")
          : t("freshness.asOf", { time: words.dayTime(verdict.asOf) })}
      </strong>
      <span>{t(`freshness.${verdict.link}`)}</span>
    </div>
  );
}
