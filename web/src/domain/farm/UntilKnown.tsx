import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state.tsx";
import { LostLink } from "../../components/scenes/lost-link.tsx";
import { useKnowledge } from "../../live/hooks.ts";

export interface UntilKnownProps {
  /** Placeholder shown during the first connection. */
  loading: ReactNode;
  /** Empty text. */
  children: ReactNode;
}

/** Fallback of a page without content. It shows the empty text only while that is known (KNOW-1). */
export function UntilKnown({ loading, children }: UntilKnownProps) {
  const { t } = useTranslation("common");
  const knowledge = useKnowledge();
  if (knowledge.known) return children;
  switch (knowledge.why) {
    case "loading":
      return loading;
    case "stale":
      return <EmptyState scene={<LostLink />} title={t("unknownNow")} />;
    case "unreached":
      return (
        <EmptyState
          scene={<LostLink />}
          title={t("link.neverReached.title")}
          action={
            <Button size="lg" variant="outline" onClick={() => window.location.reload()}>
              {t("action.reload")}
            </Button>
          }
        >
          {t("link.neverReached.text")}
        </EmptyState>
      );
  }
}
