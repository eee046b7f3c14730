import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state.tsx";
import { LostLink } from "../../components/scenes/lost-link.tsx";
import { useLabels } from "../../i18n/labels.ts";

/**
 * Shown if another account's farm is unavailable: the relay has no session of its own there, or does not
 * answer.
 */
export function Unreadable({ code, onAgain }: { code: string; onAgain: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  const labels = useLabels();
  return (
    <EmptyState
      scene={<LostLink />}
      title={t("reading.unreadable")}
      action={
        <Button size="lg" variant="outline" onClick={onAgain}>
          {t("common:action.retry")}
        </Button>
      }
    >
      {code === "forbidden" ? t("reading.noSession") : labels.error(code)}
    </EmptyState>
  );
}
