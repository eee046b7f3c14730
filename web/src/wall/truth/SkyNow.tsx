import { useTranslation } from "../../i18n/use-translation.ts";
import { useClient } from "../../rest/hooks.ts";
import { useWeatherAt } from "../../weather/use-weather-at.ts";
import { weatherView } from "../../weather/weather-view.ts";

/** The temperature outside and, where somebody says it, the sky; nothing where nobody knows. */
export function SkyNow() {
  const { i18n } = useTranslation("common");
  const { weather } = useWeatherAt(useClient(), null, i18n.language);
  const view = weather && weatherView(weather);
  if (!view || view.temperature === null || view.quality === "offline" || view.quality === "unknown")
    return null;
  return (
    <span className="truth-bar__sky">
      {Math.round(view.temperature)}°{view.description !== null && ` ${view.description}`}
    </span>
  );
}
