import { Box, Button, Flex, Grid, Heading, Text } from "@chakra-ui/react";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Weather } from "@mulkko/shared/rest/weather";
import {
  CloudDrizzleIcon,
  CloudFogIcon,
  CloudIcon,
  CloudLightningIcon,
  CloudMoonIcon,
  CloudRainIcon,
  CloudSnowIcon,
  CloudSunIcon,
  CloudyIcon,
  type LucideIcon,
  MoonIcon,
  SunIcon,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { fetchWeather, type Place, WEATHER_EVERY_MS } from "../../api/weather.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality, useLive } from "../../live/hooks.ts";
import { QualityMark } from "../reading/quality-mark.tsx";
import { ReadingValue } from "../reading/reading-value.tsx";
import { type Sky, stationIdOf, weatherView } from "./weather-view.ts";

/**
 * Storage key, set once the user has asked for the weather at their location. From then on the location is
 * looked up without a click.
 */
const OWN_PLACE_KEY = "mulkko.ownPlace";

/** Geolocation options: high accuracy, within 10 s, at most a day old. */
const LOOK_UP: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 };

/** Create the location of this screen, if the browser provides it and the user wants it. */
export function createOwnPlace(geolocation: Geolocation | undefined, secure: boolean, kept: Storage) {
  return {
    /** Return true if the browser provides locations, which it does only on HTTPS and localhost. */
    isOffered: () => secure && geolocation !== undefined,
    isWanted: () => secure && kept.getItem(OWN_PLACE_KEY) === "wanted",
    /** Look up the location and remember that it is wanted. Null if it was refused or not found. */
    find(): Promise<Place | null> {
      kept.setItem(OWN_PLACE_KEY, "wanted");
      return new Promise((resolve) => {
        if (!geolocation) return resolve(null);
        geolocation.getCurrentPosition(
          ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
          () => resolve(null),
          LOOK_UP,
        );
      });
    },
  };
}

/** Icons of the sky by day and by night: no image is loaded from the weather service. */
const SKY_ICONS: Readonly<Record<Sky, readonly [day: LucideIcon, night: LucideIcon]>> = {
  clear: [SunIcon, MoonIcon],
  "few-clouds": [CloudSunIcon, CloudMoonIcon],
  clouds: [CloudIcon, CloudIcon],
  overcast: [CloudyIcon, CloudyIcon],
  showers: [CloudDrizzleIcon, CloudDrizzleIcon],
  rain: [CloudRainIcon, CloudRainIcon],
  thunder: [CloudLightningIcon, CloudLightningIcon],
  snow: [CloudSnowIcon, CloudSnowIcon],
  mist: [CloudFogIcon, CloudFogIcon],
};

/** Height reserved while the weather loads. */
const HEIGHT = "9.5rem";

/** Show the weather at the farm: sky, temperature and humidity, with place and time. */
export function WeatherCard() {
  const { t, i18n } = useTranslation("weather");
  const [own] = useState(() => createOwnPlace(navigator.geolocation, window.isSecureContext, localStorage));
  const [wanted] = useState(own.isWanted);
  // If the browser refuses, the farm's weather stays.
  const {
    data: place,
    isFetching: locating,
    refetch: locate,
  } = useRestQuery(["own-place"], own.find, { enabled: wanted });
  const { data, error } = useRestQuery(
    ["weather", place, i18n.language],
    (rest, signal) => fetchWeather(rest, place, i18n.language, signal),
    { refetchInterval: WEATHER_EVERY_MS },
  );
  // The known weather stays with its age while there is no newer one.
  const weather = useLastAnswer(data);
  if (weather === null && error === null) return <Skeleton height={HEIGHT} />;
  return (
    <Grid
      as="section"
      gap="3"
      minW="0"
      p="card"
      layerStyle="panel"
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
      {own.isOffered() && place === null && (
        <Button
          variant="plain"
          size="sm"
          justifySelf="start"
          px="0"
          borderWidth="0"
          color="fg.muted"
          fontSize="label"
          fontWeight="normal"
          lineHeight="1.35"
          textDecoration="underline"
          textUnderlineOffset="0.2em"
          disabled={locating}
          onClick={() => void locate()}
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
    useLive("sensor", stationIdOf(weather.weather)),
  );
  const ageMs = useAge(at);
  // The user's location, the farm by name, or Seoul as the default.
  const { from, farmId } = weather.place;
  const farm = useLive("farm", farmId ?? "");
  const place = from === "farm" && farm ? farm.info.name : t(`place.${from}`);
  const { temperature: warm, humidity: wet } = FIELDS;
  const SkyIcon = sky && SKY_ICONS[sky.sky][sky.night ? 1 : 0];
  return (
    <>
      <Flex align="center" gap="3" css={{ "& > svg": { flex: "none", strokeWidth: "1.125" } }}>
        {SkyIcon && <SkyIcon size={48} />}
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
