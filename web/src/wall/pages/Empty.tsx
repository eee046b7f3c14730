import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useKnowledge } from "../../live/hooks.ts";

interface EmptyProps {
  /** Claim that there is nothing to show. */
  children: ReactNode;
  /** Text while that is unknown. */
  unknown?: string;
}

/** Show an empty page with the reason, which is a claim only while the farm is known (KNOW-1). */
export function Empty({ children, unknown }: EmptyProps) {
  const { t } = useTranslation(["wall", "common"]);
  const knowledge = useKnowledge();
  if (knowledge.known) return <EmptyText>{children}</EmptyText>;
  switch (knowledge.why) {
    case "loading":
      return <EmptyText>{t("starting")}</EmptyText>;
    case "unreached":
      return <EmptyText>{t("freshness.never")}</EmptyText>;
    case "stale":
      return <EmptyText>{unknown ?? t("common:unknownNow")}</EmptyText>;
  }
}

/** Text in place of a page's content. */
export function EmptyText({ children }: { children: ReactNode }) {
  return (
    <p className="wall-empty" data-testid="wall-empty">
      {children}
    </p>
  );
}
