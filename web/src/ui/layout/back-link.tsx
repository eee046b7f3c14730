import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { BackIcon } from "../icon/icons.tsx";
import "./back-link.css";

/** The way back that stands before a page's title. @param to the place it came from, or its list */
export function BackLink({ to }: { to: string }) {
  const { t } = useTranslation("common");
  return (
    <Link className="back-link" to={to} aria-label={t("action.back")}>
      <BackIcon size={22} />
    </Link>
  );
}
