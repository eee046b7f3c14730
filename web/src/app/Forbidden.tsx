import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { EmptyState } from "../components/empty-state.tsx";
import { FarmHouse } from "../components/scenes/farm-house.tsx";

/** Shown at an address that this account may not open. */
export function Forbidden() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<FarmHouse />}
      title={t("forbidden.title")}
      action={
        <Button asChild variant="outline">
          <Link to="/dashboard">{t("notFound.home")}</Link>
        </Button>
      }
    >
      {t("forbidden.text")}
    </EmptyState>
  );
}
