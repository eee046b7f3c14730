import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { useFirstSync } from "../live/hooks.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { LostLink } from "../ui/scenes/lost-link.tsx";

export interface UntilKnownProps {
  /** Holds the page's places while the first connection is being made. */
  loading: ReactNode;
  /** Says that something is not there, which nobody may say before the farm has been seen. */
  children: ReactNode;
}

/** What stands on a page that has nothing to show: "there is none" only once that is known. */
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
