import { ChevronLeftIcon } from "lucide-react";
import type { MouseEvent } from "react";
import { Link } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import "./back-link.css";

export interface BackLinkProps {
  /** Address of the previous page, or of its list. */
  to: string;
  onClick?: (event: MouseEvent) => void;
}

/** Back link before a page's title. */
export function BackLink({ to, onClick }: BackLinkProps) {
  const { t } = useTranslation("common");
  return (
    <Link className="back-link" to={to} aria-label={t("action.back")} onClick={onClick}>
      <ChevronLeftIcon size={22} />
    </Link>
  );
}
