import { Link } from "react-router-dom";
import { useTranslation } from "../i18n/use-translation.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FarmHouse } from "../ui/scenes/farm-house.tsx";

/** Shown at an address that this account may not open. */
export function Forbidden() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<FarmHouse />}
      title={t("forbidden.title")}
      action={<Link to="/dashboard">{t("notFound.home")}</Link>}
    >
      {t("forbidden.text")}
    </EmptyState>
  );
}
