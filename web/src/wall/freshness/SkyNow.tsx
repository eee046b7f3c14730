import { useTranslation } from "../../i18n/use-translation.ts";
import { useLinkQuality } from "../../live/hooks.ts";
import { useClient } from "../../rest/hooks.ts";
import { useWeatherAt } from "../../weather/use-weather-at.ts";
import { weatherView } from "../../weather/weather-view.ts";

/** Show the outside temperature and the sky condition, as far as they are known. */
export function SkyNow() {
  const { i18n } = useTranslation("common");
  const { weather } = useWeatherAt(useClient(), null, i18n.language);
  const links = useLinkQuality();
  const view = weather && weatherView(weather, links);
  if (!view || view.temperature === null || view.quality === "offline" || view.quality === "unknown")
    return null;
  return (
    <span className="truth-bar__sky" data-testid="sky">
      {Math.round(view.temperature)}°{view.description !== null && ` ${view.description}`}
    </span>
  );
}
