import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";

/** Offered only where there is something to save. */
export function SaveButton({ changed, busy }: { changed: boolean; busy: boolean }) {
  const { t } = useTranslation("common");
  if (!changed && !busy) return null;
  return (
    <Button type="submit" size="sm" loading={busy}>
      {t("action.save")}
    </Button>
  );
}
