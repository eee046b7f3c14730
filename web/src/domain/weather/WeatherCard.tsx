import { Box, Button, Flex, Grid, Heading, Text } from "@chakra-ui/react";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Weather, WeatherPlace } from "@mulkko/shared/rest/weather";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality, useLive } from "../../live/hooks.ts";
import { QualityMark } from "../reading/quality-mark.tsx";
import { ReadingValue } from "../reading/reading-value.tsx";
import { SkyIcon } from "./sky-icon.tsx";
import { useWeather } from "./use-weather.ts";
import { weatherView } from "./weather-view.ts";

/** Height reserved while the weather loads. */
const HEIGHT = "9.5rem";

/** Show the weather at the farm: sky, temperature and humidity, with place and time. */
export function WeatherCard() {
  const { t } = useTranslation("weather");
  const { weather, failed, mayLocate, locating, locate } = useWeather();
  if (weather === null && !failed) return <Skeleton height={HEIGHT} />;
  return (
    <Grid
      as="section"
      gap="3"
      minW="0"
      p="card"
      borderWidth="1px"
      rounded="card"
      bg="bg.panel"
      aria-label={t("title")}
      data-testid="weather"
    >
      {weather && weather.weather.source !== "none" ? (
        <WeatherThere weather={weather} />
      ) : (
        <Text color="fg.muted" fontSize="body">
          {t(weather ? "none" : "failed")}
        </Text>
      )}
      {mayLocate && (
        <Button
          variant="plain"
          size="sm"
          justifySelf="start"
          px="0"
          borderWidth="0"
          color="fg.muted"
          textStyle="label"
          fontWeight="normal"
          textDecoration="underline"
          textUnderlineOffset="0.2em"
          disabled={locating}
          onClick={locate}
        >
          {t(locating ? "locating" : "locate")}
        </Button>
      )}
    </Grid>
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
      <Grid as="dl" templateColumns="1fr 1fr" gap="2">
        <Measured name={t("common:field.temperature")}>
          <ReadingValue value={temperature} field={{ ...warm, decimals: 0 }} quality={quality} />
        </Measured>
        {measuresHumidity && (
          <Measured name={t("common:field.humidity")}>
            <ReadingValue value={humidity} field={{ ...wet, decimals: 0 }} quality={quality} />
          </Measured>
        )}
      </Grid>
    </>
  );
}

function Measured({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box px="3" py="2" rounded="card" bg="bg.sunk" css={{ "@media (max-width: 22rem)": { px: "8px" } }}>
      <Text as="dt" color="fg.muted" fontSize="caption">
        {name}
      </Text>
      <dd>{children}</dd>
    </Box>
  );
}

/** Return the place of the weather: the user's location, the farm by name, or Seoul as the default. */
function usePlaceName({ from, farmId }: WeatherPlace): string {
  const { t } = useTranslation("weather");
  const farm = useLive("farm", farmId ?? "");
  if (from === "farm" && farm) return farm.info.name;
  return t(`place.${from}`);
}
