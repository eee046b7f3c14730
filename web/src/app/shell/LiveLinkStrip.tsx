import { Link } from "react-router-dom";
import { useDeviceTally, useLinks, useSilentSensor } from "../../farm/use-links.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { LinkStrip } from "../../ui/feedback/link-strip.tsx";

/**
 * The three links (ONL-4): screen to relay, relay to farm API, the devices. While some devices are not live, their
 * share stands in the place of an age, and leads to those that are not.
 */
export function LiveLinkStrip() {
  const { t } = useTranslation("common");
  const links = useLinks();
  const { fresh, total } = useDeviceTally();
  const to = useSilentSensor() ? "/sensors?live=no" : "/sensors/cot";
  const share =
    links.device.state === "degraded" ? (
      <Link className="link-strip__share" to={to}>
        {t("link.deviceShare", { fresh, total })}
      </Link>
    ) : undefined;
  return <LinkStrip links={links} share={share} />;
}
