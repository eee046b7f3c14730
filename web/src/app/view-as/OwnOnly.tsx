import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useReadsAs } from "../../api/hooks.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { FarmHouse } from "../../components/scenes/farm-house.tsx";

/** Page for the own account only; shows a message while another account's farm is viewed. */
export function OwnOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const readsAs = useReadsAs();
  if (readsAs === null) return children;
  return (
    <EmptyState
      scene={<FarmHouse />}
      title={t("reading.ownOnly")}
      action={
        <Button asChild variant="outline">
          <Link to="/dashboard">{t("notFound.home")}</Link>
        </Button>
      }
    >
      {t("reading.why", { name: readsAs.account.name })}
    </EmptyState>
  );
}
