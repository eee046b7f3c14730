import { Link } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { ReadAccount } from "../../rest/reading.ts";
import { EyeIcon } from "../../ui/icon/icons.tsx";
import { useSurface } from "../../ui/theme/use-surface.ts";
import { DESK } from "./desk-address.ts";
import "./reading.css";

/** Stays at the top of every page that shows another account's farm: whose, that it is read only, and the way out. */
export function ReadingBanner({ account, farm }: { account: ReadAccount; farm?: string | undefined }) {
  const { t } = useTranslation("shell");
  // A phone has room for whose farm it is and for two words.
  const short = useSurface() === "phone";
  return (
    <section className="reading-banner" aria-label={t("reading.label")}>
      <EyeIcon />
      <p className="reading-banner__text">
        <strong>{t("reading.whose", { name: account.name })}</strong>
        <span>
          {short ? t("reading.viewOnly") : [farm, t("reading.readOnly")].filter(Boolean).join(" · ")}
        </span>
      </p>
      <Link className="reading-banner__leave" to={DESK}>
        {t("reading.leave")}
      </Link>
    </section>
  );
}
