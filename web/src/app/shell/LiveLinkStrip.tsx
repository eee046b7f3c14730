import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { LinkStrip } from "../../components/link-strip.tsx";
import { useDeviceTally, useLinks, useSilentSensor } from "../../domain/farm/use-links.ts";
import { useFirstSync } from "../../live/hooks.ts";

/**
 * Show the three links (ONL-4): screen to relay, relay to farm API, the devices. While some devices are not
 * live, their share replaces the age and links to them.
 */
export function LiveLinkStrip() {
  const { t } = useTranslation("common");
  const links = useLinks();
  const { fresh, total } = useDeviceTally();
  const known = useFirstSync() === "done";
  const to = useSilentSensor() ? "/sensors?live=no" : "/sensors/cot";
  const share =
    links.device.state === "degraded" ? (
      <Link className="link-strip__share" to={to}>
        {t("link.deviceShare", { fresh, count: total })}
      </Link>
    ) : total === 0 && known ? // An account without devices, usually an administrator's, has no such link.
    null : undefined;
  return <LinkStrip links={links} share={share} />;
}
