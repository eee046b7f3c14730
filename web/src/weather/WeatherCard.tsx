import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Weather, WeatherPlace } from "@mulkko/shared/rest/weather";
import { Skeleton } from "../components/skeleton.tsx";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useAge, useLinkQuality, useLive } from "../live/hooks.ts";
import { QualityMark } from "../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../ui/reading/reading-value.tsx";
import { SkyIcon } from "./sky-icon.tsx";
import { useWeather } from "./use-weather.ts";
import { weatherView } from "./weather-view.ts";
import "./weather.css";

/** Height reserved while the weather loads. */
const HEIGHT = "9.5rem";

/** Show the weather at the farm: sky, temperature and humidity, with place and time. */
export function WeatherCard() {
  const { t } = useTranslation("weather");
  const { state, weather, mayLocate, locating, locate } = useWeather();
  if (state === "asking") return <Skeleton height={HEIGHT} />;
  return (
    <section className="weather" aria-label={t("title")}>
      {weather && weather.weather.source !== "none" ? (
        <WeatherThere weather={weather} />
      ) : (
        <p className="weather__none">{t(weather ? "none" : "failed")}</p>
      )}
      {mayLocate && (
        <button type="button" className="weather__locate" disabled={locating} onClick={locate}>
          {t(locating ? "locating" : "locate")}
        </button>
      )}
    </section>
  );
}

function WeatherThere({ weather }: { weather: Weather }) {
  const { t } = useTranslation(["weather", "common"]);
  const { deviceType } = useLabels();
  const { sky, description, temperature, humidity, measuresHumidity, quality, at, station } = weatherView(
    weather,
    useLinkQuality(),
  );
  const ageMs = useAge(at);
  const place = usePlaceName(weather.place);
  const { temperature: warm, humidity: wet } = FIELDS;
  return (
    <>
      <div className="weather__head">
        {sky && <SkyIcon {...sky} />}
        <div className="weather__words">
          <h2 className="weather__sky">{description ?? t("title")}</h2>
          <p className="weather__place">
            {station ? (station.name ?? deviceType(station.deviceType)) : `${place} · ${t("service")}`}
          </p>
        </div>
        <QualityMark quality={quality} ageMs={ageMs} />
      </div>
      <dl className="weather__values">
        <div>
          <dt>{t("common:field.temperature")}</dt>
          <dd>
            <ReadingValue value={temperature} format={{ decimals: 0 }} unit={warm.unit} quality={quality} />
          </dd>
        </div>
        {measuresHumidity && (
          <div>
            <dt>{t("common:field.humidity")}</dt>
            <dd>
              <ReadingValue value={humidity} format={{ decimals: 0 }} unit={wet.unit} quality={quality} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** Return the place of the weather: the user's location, the farm by name, or Seoul as the default. */
function usePlaceName({ from, farmId }: WeatherPlace): string {
  const { t } = useTranslation("weather");
  const farm = useLive("farm", farmId ?? "");
  if (from === "farm" && farm) return farm.info.name;
  return t(`place.${from}`);
}
