import { Link } from "react-router-dom";
import { useTranslation } from "../i18n/use-translation.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { LostLink } from "../ui/scenes/lost-link.tsx";

/** Shown at an unknown address. */
export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<LostLink />}
      title={t("notFound.title")}
      action={<Link to="/dashboard">{t("notFound.home")}</Link>}
    >
      {t("notFound.text")}
    </EmptyState>
  );
}
