import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state.tsx";
import { LostLink } from "../../components/scenes/lost-link.tsx";
import { useFirstSync } from "../../live/hooks.ts";

export interface UntilKnownProps {
  /** Placeholder shown during the first connection. */
  loading: ReactNode;
  /** Empty text, shown only after the first snapshot. */
  children: ReactNode;
}

/** Fallback of a page without content. It shows the empty text only once the stream has confirmed it. */
export function UntilKnown({ loading, children }: UntilKnownProps) {
  const { t } = useTranslation("common");
  const firstSync = useFirstSync();
  switch (firstSync) {
    case "done":
      return children;
    case "waiting":
      return loading;
    case "failed":
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
