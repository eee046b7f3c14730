import { useTranslation } from "react-i18next";
import { ASIDE, TextLink } from "../../components/text-link.tsx";

/** Link beside a card's title to the page with all of its things. */
export function AllLink({ to }: { to: string }) {
  const { t } = useTranslation("dashboard");
  return (
    <TextLink to={to} look={ASIDE}>
      {t("all")}
    </TextLink>
  );
}
