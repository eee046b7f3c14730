import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { EmptyState } from "../components/empty-state.tsx";
import { LostLink } from "../components/scenes/lost-link.tsx";

/** Shown at an unknown address. */
export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<LostLink />}
      title={t("notFound.title")}
      action={
        <Button asChild variant="outline">
          <Link to="/dashboard">{t("notFound.home")}</Link>
        </Button>
      }
    >
      {t("notFound.text")}
    </EmptyState>
  );
}
