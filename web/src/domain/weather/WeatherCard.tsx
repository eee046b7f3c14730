import { Box, Button, Flex, Grid, Heading, Text } from "@chakra-ui/react";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Weather, WeatherPlace } from "@mulkko/shared/rest/weather";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { fetchWeather, type Place, WEATHER_EVERY_MS } from "../../api/weather.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality, useLive } from "../../live/hooks.ts";
import { QualityMark } from "../reading/quality-mark.tsx";
import { ReadingValue } from "../reading/reading-value.tsx";
import { type Sky, weatherView } from "./weather-view.ts";

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

/** Return the location of this browser. */
const browserPlace = () => createOwnPlace(navigator.geolocation, window.isSecureContext, localStorage);

const SUN = (
  <>
    <circle cx="24" cy="24" r="8" />
    <path d="M24 8v4M24 36v4M8 24h4M36 24h4M12.7 12.7l2.8 2.8M32.5 32.5l2.8 2.8M12.7 35.3l2.8-2.8M32.5 15.5l2.8-2.8" />
  </>
);
const MOON = <path d="M35 28.5A13 13 0 1 1 20.5 12 10.5 10.5 0 0 0 35 28.5z" />;
const SMALL_SUN = (
  <path d="M11.5 19.5a7 7 0 0 1 12-5.7M16.5 5.5v2.6M6.5 9.2l1.9 1.9M26.5 9.2l-1.9 1.9M3.5 19h2.7" />
);
const SMALL_MOON = <path d="M12.5 20.5A8 8 0 0 1 15 6.5a6.6 6.6 0 0 0 9 7" />;
const CLOUD = <path d="M15 37a7.5 7.5 0 0 1-.8-15 10 10 0 0 1 19.2-1.6A8.4 8.4 0 0 1 33.5 37z" />;
const HIGH_CLOUD = <path d="M15 31a7.5 7.5 0 0 1-.8-15 10 10 0 0 1 19.2-1.6A8.4 8.4 0 0 1 33.5 31z" />;
const SECOND_CLOUD = <path d="M28.5 12.3a7 7 0 0 1 12.8 3.4 5.6 5.6 0 0 1 1.6 10.5" />;

const DRAWN: Readonly<Record<Sky, (night: boolean) => ReactNode>> = {
  clear: (night) => (night ? MOON : SUN),
  "few-clouds": (night) => (
    <>
      {night ? SMALL_MOON : SMALL_SUN}
      {CLOUD}
    </>
  ),
  clouds: () => CLOUD,
  overcast: () => (
    <>
      {CLOUD}
      {SECOND_CLOUD}
    </>
  ),
  showers: () => (
    <>
      {HIGH_CLOUD}
      <path d="m16 35-2 5M24 35l-2 5M32 35l-2 5" />
    </>
  ),
  rain: () => (
    <>
      {HIGH_CLOUD}
      <path d="M15 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4zM24.5 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4zM34 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4z" />
    </>
  ),
  thunder: () => (
    <>
      {HIGH_CLOUD}
      <path d="m25.5 33-5 6h6l-4 5.5" />
    </>
  ),
  snow: () => (
    <>
      {HIGH_CLOUD}
      <path d="M15.5 36v6M12.9 37.5l5.2 3M18.1 37.5l-5.2 3M31.5 36v6M28.9 37.5l5.2 3M34.1 37.5l-5.2 3" />
    </>
  ),
  mist: () => <path d="M9 16h30M13 23h22M9 30h30M16 37h16" />,
};

/** Drawing of the sky: no image is loaded from the weather service. */
function SkyIcon({ sky, night, size = 48 }: { sky: Sky; night: boolean; size?: number }) {
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {DRAWN[sky](night)}
    </svg>
  );
}

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

interface WeatherNow {
  /** Null until there is an answer. */
  readonly weather: Weather | null;
  /** True if there is no answer yet and the last call failed. */
  readonly failed: boolean;
  /** True if the user can request the weather at their location. */
  readonly mayLocate: boolean;
  readonly locating: boolean;
  /** Ask the browser for the location; if it refuses, the farm's weather stays. */
  locate(): void;
}

/** Return the weather at the farm, or at the user's location once they requested that. */
function useWeather(): WeatherNow {
  const { i18n } = useTranslation("common");
  const [own] = useState(browserPlace);
  const [place, setPlace] = useState<Place | null>(null);
  const [locating, setLocating] = useState(false);
  const { data, error } = useRestQuery(
    ["weather", place, i18n.language],
    (rest, signal) => fetchWeather(rest, place, i18n.language, signal),
    { refetchInterval: WEATHER_EVERY_MS },
  );
  // The known weather stays with its age while there is no newer one.
  const weather = useLastAnswer(data);
  const locate = useCallback(() => {
    setLocating(true);
    void own.find().then((found) => {
      setLocating(false);
      if (found) setPlace(found);
    });
  }, [own]);
  useEffect(() => {
    if (own.isWanted()) locate();
  }, [own, locate]);
  return {
    weather,
    failed: weather === null && error !== null,
    mayLocate: own.isOffered() && place === null,
    locating,
    locate,
  };
}
