import { useTranslation } from "react-i18next";
import { LinkBanner } from "../components/alerts.tsx";
import { Preloader } from "../components/progress.tsx";

/** Shown until the session is known; reports an unreachable server. */
export function Starting({ unreachable, label }: { unreachable: boolean; label: string }) {
  const { t } = useTranslation("common");
  return (
    <>
      {unreachable && <LinkBanner title={t("error.network")} detail={t("link.reconnecting")} />}
      <Preloader ready={unreachable} label={label} />
    </>
  );
}
