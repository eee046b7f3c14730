import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { LinkStrip } from "../../components/link-strip.tsx";
import { useDeviceTally, useLinks, useSilentSensor } from "../../domain/farm/use-links.ts";
import { useFirstSync } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";

/**
 * Show the three links (ONL-4): screen to relay, relay to farm API, the devices. The share of live devices
 * replaces their age, which would count all the time.
 */
export function LiveLinkStrip() {
  const { t } = useTranslation("common");
  const links = useLinks();
  const { fresh, total } = useDeviceTally();
  const known = useFirstSync() === "done";
  const silent = useSilentSensor() ? "/sensors?live=no" : "/sensors/cot";
  const phone = useSurface() === "phone";
  const { state } = links.device;
  const text = t("link.deviceShare", { fresh, count: total });
  const share =
    state === "up" && phone ? (
      <span className="visually-hidden">{text}</span>
    ) : state === "up" || state === "degraded" ? (
      <Link className="link-strip__share" to={state === "up" ? "/sensors" : silent}>
        {text}
      </Link>
    ) : total === 0 && known ? // An account without devices, usually an administrator's, has no such link.
    null : undefined;
  return <LinkStrip links={links} share={share} />;
}
