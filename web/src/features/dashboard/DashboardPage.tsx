import { Box, Grid, Stack, Text } from "@chakra-ui/react";
import { type ReactNode, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useAccount, useReadOnly } from "../../api/hooks.ts";
import { useClaim } from "../../api/knowledge.ts";
import { lazyPart, useLoaded } from "../../components/lazy/retried.ts";
import { FarmFromAbove } from "../../components/scenes/farm-from-above.tsx";
import { FarmHouse } from "../../components/scenes/farm-house.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useFirstSteps } from "../../domain/farm/first-steps.ts";
import { NOTHING_KNOWN, nextOfChannels } from "../../domain/watering/next-watering.ts";
import { usePreview } from "../../domain/watering/use-preview.ts";
import { type LiveFarm, useLink, useLiveIds, useLiveSelection } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { IrrigationNow } from "./IrrigationNow.tsx";
import type { NextCardProps } from "./NextCard.tsx";
import { type Place, pinsOf } from "./pins.ts";
import { SensorsNow } from "./SensorsNow.tsx";
import { ValveList } from "./ValveList.tsx";
import { useValves } from "./valve-now.ts";
import { WidgetTiles } from "./WidgetTiles.tsx";

// A phone does without these pictures.
const SensorHillside = lazyPart(() =>
  import("../../components/scenes/sensor-hillside.tsx").then((m) => m.SensorHillside),
);
const WaterGate = lazyPart(() => import("../../components/scenes/water-gate.tsx").then((m) => m.WaterGate));

// A finished farm does without them (FIRST-1).
const FirstSteps = lazyPart(() => import("../../domain/farm/FirstSteps.tsx").then((m) => m.FirstSteps));

const KINDS = ["farm.listing", "sensor.listing"] as const;

function placed({ farms, sensors }: LiveFarm) {
  const places: Place[] = [];
  for (const [id, { info }] of sensors) {
    const { latitude, longitude } = info;
    // 0 is "not placed".
    if (latitude && longitude) places.push({ id, latitude, longitude });
  }
  return { places, farms: [...farms.values()].map(({ info }) => info.name) };
}

type Placed = ReturnType<typeof placed>;
const same = (a: Placed, b: Placed) => JSON.stringify(a) === JSON.stringify(b);

/** Show the positions of the sensors relative to each other. */
function MapTile() {
  const { t } = useTranslation("dashboard");
  const { places, farms } = useLiveSelection(KINDS, placed, same);
  const claim = useClaim();
  const count = t("map.farms", { count: farms.length });
  const placesText = t("map.placed", { count: places.length });
  return (
    <SceneTile
      to="/maps"
      caption={t("tile.map")}
      scene={
        <>
          <FarmFromAbove pins={false} />
          {pinsOf(places).map(({ id, x, y }) => (
            <span key={id} style={{ insetInlineStart: `${x * 100}%`, insetBlockStart: `${y * 100}%` }} />
          ))}
        </>
      }
    >
      {/* A number of none is a claim. */}
      <strong>{farms.length === 0 ? claim(count) : count}</strong>
      <span>{farms.length > 0 ? farms.join(" · ") : places.length > 0 && placesText}</span>
    </SceneTile>
  );
}

// The first load has a budget: parts without controls load later.
const bringAside = () => import("./DashboardAside.tsx").then((m) => m.DashboardAside);

const BELOW = { alignItems: "start", gap: "5" } as const;
const COLUMNS = "minmax(20rem, 1fr) minmax(0, 2fr)";

/** Show four tiles, the current and next valves, and the user's selected readings. */
export function DashboardPage() {
  const { t } = useTranslation("dashboard");
  const account = useAccount();
  const valves = useValves();
  const preview = usePreview();
  const next = useMemo(
    () => (preview.value ? nextOfChannels(preview.value) : NOTHING_KNOWN),
    [preview.value],
  );
  const readOnly = useReadOnly();
  const starting = useLink((link) => link.screen.state === "starting");
  const empty = useLiveIds("sensor").length === 0;
  const name = account.nickname || account.username;
  const phone = useSurface() === "phone";
  const steps = useFirstSteps() && (
    <Suspense fallback={<Skeleton height="13rem" />}>
      <FirstSteps />
    </Suspense>
  );
  const tiles = (
    <>
      <SceneTile
        to="/irrigation"
        caption={t("tile.irrigation")}
        scene={phone ? null : <WaterGate align="xMidYMax" />}
      >
        <IrrigationNow valves={valves} next={next} />
      </SceneTile>
      <SceneTile
        to="/sensors"
        caption={t("tile.sensors")}
        scene={phone ? null : <SensorHillside align="xMidYMax" />}
      >
        <SensorsNow />
      </SceneTile>
    </>
  );
  // On a phone the valves come before these.
  const further = (
    <>
      <MapTile />
      {!readOnly && (
        <SceneTile to="/account" caption={t("tile.account")} scene={<FarmHouse align="xMidYMax" />}>
          <strong>{name}</strong>
          <span>{account.farmAddress || account.username}</span>
        </SceneTile>
      )}
    </>
  );
  return (
    <Stack gap="5">
      <h1 className="visually-hidden">{t("title")}</h1>
      <Tiles>
        {tiles}
        {!phone && further}
      </Tiles>
      {/* What is open now comes before what is missing. */}
      {valves.length === 0 && steps}
      {starting && empty ? (
        <Grid {...BELOW} templateColumns={{ base: "minmax(0, 1fr)", md: COLUMNS }}>
          <Skeleton height="18rem" />
          <Skeleton height="18rem" />
        </Grid>
      ) : (
        <Grid
          {...BELOW}
          templateColumns={{
            base: "minmax(0, 1fr)",
            md: COLUMNS,
            xl: "minmax(20rem, 1.2fr) minmax(0, 2fr) minmax(18rem, 1fr)",
          }}
        >
          <ValveList valves={valves} next={next} />
          <WidgetTiles />
          <Grid
            {...BELOW}
            gridColumn={{ base: "1 / -1", xl: "auto" }}
            templateColumns={{
              base: "repeat(auto-fit, minmax(min(100%, 18rem), 1fr))",
              xl: "minmax(0, 1fr)",
            }}
          >
            <Aside valves={valves} preview={preview} />
          </Grid>
        </Grid>
      )}
      {valves.length > 0 && steps}
      {phone && <Tiles>{further}</Tiles>}
    </Stack>
  );
}

/** Lay out the tiles: two in a row on a phone, all in one row on a desktop. */
function Tiles({ children }: { children: ReactNode }) {
  return (
    <Grid
      gap="3"
      templateColumns={{ base: "repeat(auto-fit, minmax(max(9.5rem, 40%), 1fr))", md: "none" }}
      autoFlow={{ md: "column" }}
      autoColumns={{ md: "minmax(0, 1fr)" }}
    >
      {children}
    </Grid>
  );
}

/** The rest of the page works without it when loading fails. */
function Aside(props: NextCardProps) {
  const aside = useLoaded(bringAside);
  if (aside.state === "failed") return null;
  if (aside.state === "loading") return <Skeleton height="9.5rem" />;
  return <aside.value {...props} />;
}

const TILE = {
  gridTemplateRows: "1fr auto",
  minH: "64",
  overflow: "hidden",
  borderWidth: "1px",
  rounded: "lg",
  bg: "bg.panel",
  "[data-surface=phone] &": { minH: "12.5rem", "&[data-bare]": { gridTemplateRows: "auto", minH: "0" } },
  "& > :first-of-type > svg": { position: "absolute", transition: "transform 400ms" },
  "&:hover > :first-of-type > svg": { transform: "scale(1.04)" },
} as const;

/** A pin of the map's tile. */
const PINS = {
  "& > span": {
    position: "absolute",
    boxSize: "3.5",
    m: "-0.4375rem",
    borderWidth: "2.5px",
    borderColor: "bg.panel",
    rounded: "full",
    bg: "fg",
  },
} as const;

const NOW = {
  minH: "4.5em",
  alignContent: "start",
  // A running valve's time is a line of its own in a narrow tile: what comes later moves nothing.
  "[data-surface=phone] &": { minH: "6em" },
  "& strong": { fontSize: "title", fontWeight: "650", lineHeight: "1.3" },
  "& span": {
    overflow: "hidden",
    color: "fg.muted",
    fontSize: "label",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  // Two lines in a narrow tile; with large letters as many as it needs.
  "@media (min-width: 22.01rem)": {
    "[data-surface=phone] & > span:not(.scene-tile__valve)": { lineClamp: "2", whiteSpace: "normal" },
  },
  "& .scene-tile__valve": { display: "flex", flexWrap: "wrap", columnGap: "0.3em" },
  "& .thing-title": { maxW: "full" },
  "& i": { flex: "none", fontStyle: "normal" },
} as const;

/**
 * Large tile: a scene, the current state in one or two lines, and the name of its target. On a phone the first
 * tiles have no scene: the valves need the screen.
 */
function SceneTile(props: { to: string; caption: string; scene: ReactNode; children: ReactNode }) {
  const { to, caption, scene, children } = props;
  return (
    <Grid asChild css={TILE}>
      <Link data-testid="scene-tile" data-bare={scene === null || undefined} to={to}>
        {scene !== null && (
          <Box as="span" position="relative" minH="0" overflow="hidden" css={PINS} borderBottomWidth="1px">
            <Suspense>{scene}</Suspense>
          </Box>
        )}
        <Grid as="span" gap="0.1rem" px="3.5" pt="3" pb="3.5">
          <Text as="span" color="fg.muted" fontSize="label" fontWeight="medium">
            {caption}
          </Text>
          <Grid as="span" className="scene-tile__now" css={NOW}>
            {children}
          </Grid>
        </Grid>
      </Link>
    </Grid>
  );
}
