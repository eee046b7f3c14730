import { useTranslation } from "../i18n/use-translation.ts";
import { LinkBanner } from "../ui/feedback/link-banner.tsx";
import { Preloader } from "../ui/feedback/preloader.tsx";

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
