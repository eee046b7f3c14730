import { Box, Flex, Heading, Text } from "@chakra-ui/react";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Weather, WeatherPlace } from "@mulkko/shared/rest/weather";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality, useLive } from "../../live/hooks.ts";
import { QualityMark } from "../reading/quality-mark.tsx";
import { ReadingValue } from "../reading/reading-value.tsx";
import { SkyIcon } from "./sky-icon.tsx";
import { useWeather } from "./use-weather.ts";
import { weatherView } from "./weather-view.ts";
import "./weather.css";

/** Height reserved while the weather loads. */
const HEIGHT = "9.5rem";

/** Show the weather at the farm: sky, temperature and humidity, with place and time. */
export function WeatherCard() {
  const { t } = useTranslation("weather");
  const { weather, failed, mayLocate, locating, locate } = useWeather();
  if (weather === null && !failed) return <Skeleton height={HEIGHT} />;
  return (
    <section className="weather" aria-label={t("title")}>
      {weather && weather.weather.source !== "none" ? (
        <WeatherThere weather={weather} />
      ) : (
        <Text color="fg.muted" fontSize="body">
          {t(weather ? "none" : "failed")}
        </Text>
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
      <Flex align="center" gap="3" css={{ "& > svg": { flex: "none", m: "-1" } }}>
        {sky && <SkyIcon {...sky} />}
        <Box flex="1" minW="0">
          <Heading fontSize="title" fontWeight="semibold" lineHeight="1.3">
            {description ?? t("title")}
          </Heading>
          <Text
            overflow="hidden"
            color="fg.muted"
            fontSize="caption"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
            css={{ "@media (max-width: 22rem)": { whiteSpace: "normal" } }}
          >
            {station ? (station.name ?? deviceType(station.deviceType)) : `${place} · ${t("service")}`}
          </Text>
        </Box>
        <QualityMark quality={quality} ageMs={ageMs} />
      </Flex>
      <dl className="weather__values">
        <div>
          <dt>{t("common:field.temperature")}</dt>
          <dd>
            <ReadingValue value={temperature} field={{ ...warm, decimals: 0 }} quality={quality} />
          </dd>
        </div>
        {measuresHumidity && (
          <div>
            <dt>{t("common:field.humidity")}</dt>
            <dd>
              <ReadingValue value={humidity} field={{ ...wet, decimals: 0 }} quality={quality} />
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
