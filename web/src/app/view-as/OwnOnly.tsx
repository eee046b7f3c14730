import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
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
      link={{ to: "/dashboard", text: t("notFound.home") }}
    >
      {t("reading.why", { name: readsAs.account.name })}
    </EmptyState>
  );
}
