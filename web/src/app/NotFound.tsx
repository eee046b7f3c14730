import { useTranslation } from "react-i18next";
import { EmptyState } from "../components/empty-state.tsx";
import { LostLink } from "../components/scenes/lost-link.tsx";

/** Shown at an unknown address. */
export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<LostLink />}
      title={t("notFound.title")}
      link={{ to: "/dashboard", text: t("notFound.home") }}
    >
      {t("notFound.text")}
    </EmptyState>
  );
}
