import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { fetchWeather, WEATHER_EVERY_MS } from "../../api/weather.ts";
import { weatherView } from "../../domain/weather/weather-view.ts";
import { useLinkQuality } from "../../live/hooks.ts";
import { usePolled } from "../use-polled.ts";

/** Show the outside temperature and the sky condition, as far as they are known. */
export function SkyNow() {
  const { i18n } = useTranslation("common");
  const ask = useCallback(
    (rest: RestClient, signal: AbortSignal) => fetchWeather(rest, null, i18n.language, signal),
    [i18n.language],
  );
  const { value: weather } = usePolled(ask, WEATHER_EVERY_MS);
  const links = useLinkQuality();
  const view = weather && weatherView(weather, links);
  if (!view || view.temperature === null || view.quality === "offline" || view.quality === "unknown")
    return null;
  return (
    <span className="freshness-bar__sky" data-testid="sky">
      {Math.round(view.temperature)}°{view.description !== null && ` ${view.description}`}
    </span>
  );
}
