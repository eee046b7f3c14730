import "./maps.css";
import {
  Box,
  Button,
  chakra,
  Flex,
  Grid,
  type GridProps,
  Heading,
  type HTMLChakraProps,
  Text,
} from "@chakra-ui/react";
import { ChevronLeftIcon, ChevronRightIcon, MaximizeIcon } from "lucide-react";
import { type Ref, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMapStyleUrl } from "../../api/extensions.ts";
import { useNewestParams, withParam } from "../../components/address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useMeasure } from "../../components/use-measure.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { useInfos } from "../../domain/farm/when-infos-change.ts";
import { createMarkerSource } from "../../domain/map/device-markers.ts";
import { FarmMap } from "../../domain/map/farm-map.tsx";
import type { FarmMapProps } from "../../domain/map/farm-map-view.tsx";
import { farmOutlines } from "../../domain/map/geometry.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { DeviceBrief } from "./DeviceBrief.tsx";
import { DeviceList } from "./DeviceList.tsx";
import { countPlaced, listDevices, typesIn } from "./device-list.ts";
import { MapSheet, type SheetHeight, sheetPx } from "./MapSheet.tsx";
import { StressLegend } from "./StressLegend.tsx";

// All readings, not only the listing: a marker of crop stress shows its value.
const MARKED = ["sensor", "alarm"] as const;
const OUTLINED = ["sensor.listing", "farm.listing"] as const;
const SENSORS = ["sensor.listing"] as const;

const outlinesIn = ({ farms, sensors }: LiveFarm) => farmOutlines(farms, sensors);
const devicesIn = ({ sensors }: LiveFarm) => listDevices(sensors);

interface LiveMapProps
  extends Pick<FarmMapProps, "picked" | "onPick" | "focus" | "covered" | "popup" | "fit"> {
  /** Shown types; null means all. */
  readonly types: readonly string[] | null;
}

/** Show the farm's devices on the map, live. Renders again only if a marker changes. */
function LiveMap({ types, ...rest }: LiveMapProps) {
  const { t } = useTranslation("maps");
  const [source] = useState(createMarkerSource);
  const link = useLinkQuality();
  const markers = useLiveSelection(
    MARKED,
    useCallback((farm: LiveFarm) => source(farm, types, link), [source, types, link]),
  );
  const outlines = useInfos(OUTLINED, outlinesIn);
  const styleUrl = useMapStyleUrl();
  // Wait for the style: otherwise the map would render twice, first with the wrong background.
  if (styleUrl === undefined) return null;
  return <FarmMap {...rest} label={t("label")} markers={markers} outlines={outlines} styleUrl={styleUrl} />;
}

const heightOf = (element: HTMLElement): number => element.clientHeight;

/**
 * Show the devices as a list and on a map: all on `/maps`, one type or several on `/maps/type?deviceType=…`.
 */
export function MapsPage() {
  const { t } = useTranslation("maps");
  const { params, drawn, change } = useNewestParams();
  const named = drawn.getAll("deviceType").join();
  const types = useMemo(() => typesIn(new URLSearchParams({ deviceType: named })), [named]);
  // In the address, for alarms, codes on devices and reloads.
  const picked = params.get("id");
  const pick = (id: string | null) => change((before) => withParam(before, "id", id), { replace: true });
  const phone = useSurface() === "phone";
  const [listed, setListed] = useState(true);
  const [height, setHeight] = useState<SheetHeight>("half");
  const [fits, setFits] = useState(0);
  const [roomPx, room] = useMeasure(heightOf);
  const devices = useInfos(SENSORS, devicesIn);
  const device = devices.find(({ id }) => id === picked);
  const { id, place } = device ?? {};
  /** Position of the selected device, for the map to move to; a new object for each request. */
  const focus = useMemo(() => (id !== undefined && place ? { id, ...place } : null), [id, place]);

  if (devices.length === 0) {
    const loading = (
      <MapArea aria-busy>
        <Skeleton height="100%" />
      </MapArea>
    );
    return (
      <UntilKnown loading={loading}>
        <EmptyState
          scene={<EmptyField />}
          title={t("empty")}
          action={
            <Button asChild variant="outline">
              <OwnLink to="/listadd">{t("addSensor")}</OwnLink>
            </Button>
          }
        />
      </UntilKnown>
    );
  }
  const shown = types ? devices.filter(({ deviceType }) => types.includes(deviceType)) : devices;
  const { placed, unplaced } = countPlaced(devices, types);
  const stress = shown.some(({ deviceType, place }) => deviceType === "LAT" && place !== null);
  const choose = (id: string | null) => {
    pick(id);
    if (id !== null && height !== "half") setHeight("half");
  };
  const heading = (
    <>
      <Heading as="h1" textStyle="heading">
        {t("title")}
      </Heading>
      <Text color="fg.muted">
        {unplaced === 0 ? t("allPlaced", { placed }) : t("counts", { placed, unplaced })}
      </Text>
    </>
  );
  const brief = device?.place ? <DeviceBrief id={device.id} onClose={() => pick(null)} /> : null;
  const list = <DeviceList devices={devices} types={types} picked={device?.id ?? null} onPick={choose} />;
  return (
    <MapArea templateColumns={`${!phone && listed ? "22rem " : ""}minmax(0, 1fr)`} ref={room}>
      {!phone && (
        <Flex
          as="section"
          display={listed ? "flex" : "none"}
          direction="column"
          minH="0"
          borderEndWidth="1px"
          bg="bg.panel"
          aria-label={t("list")}
        >
          <Box pt="5" px="4" pb="3">
            {heading}
          </Box>
          {list}
        </Flex>
      )}
      <Box position="relative" minW="0">
        <LiveMap
          types={types}
          // After a press on the button, and after a change of the types.
          fit={`${fits} ${named}`}
          picked={device?.id ?? null}
          onPick={choose}
          focus={focus}
          covered={phone ? sheetPx(height === "full" ? "half" : height, roomPx) : 0}
          popup={!phone && device?.place && brief ? { ...device.place, content: brief } : null}
        />
        {!phone && (
          <MapButton
            inset="10px auto auto 10px"
            aria-expanded={listed}
            aria-label={listed ? t("hideList") : t("showList")}
            onClick={() => setListed(!listed)}
          >
            {listed ? <ChevronLeftIcon /> : <ChevronRightIcon />}
          </MapButton>
        )}
        <MapButton
          inset="102px 10px auto auto"
          top={{ mdDown: "118px" }}
          css={{ "@media (pointer: coarse)": { top: "118px" } }}
          aria-label={t("fit")}
          title={t("fit")}
          onClick={() => setFits(fits + 1)}
        >
          <MaximizeIcon />
        </MapButton>
        {stress && <StressLegend open={!phone} key={`${phone}`} />}
      </Box>
      {/* Once its height is known, so that it does not slide up while the page loads. */}
      {phone && roomPx > 0 && (
        <MapSheet height={height} onHeight={setHeight} room={roomPx} heading={heading}>
          {brief}
          {list}
        </MapSheet>
      )}
    </MapArea>
  );
}

/** Area of the map: up to the edges of the window and the phone's navigation. */
function MapArea(props: GridProps & { ref?: Ref<HTMLDivElement> }) {
  const phone = useSurface() === "phone";
  return (
    <Grid
      className="maps"
      position="absolute"
      inset="0"
      bottom={phone ? "calc(var(--nav-height) + 1px + env(safe-area-inset-bottom))" : undefined}
      templateColumns="minmax(0, 1fr)"
      overflow="hidden"
      {...props}
    />
  );
}

function MapButton(props: HTMLChakraProps<"button">) {
  return (
    <chakra.button
      type="button"
      display="grid"
      position="absolute"
      zIndex={2}
      w="max(2.5rem, var(--finger))"
      h="max(2.5rem, var(--finger))"
      layerStyle="panel"
      borderColor="border.strong"
      color="fg"
      cursor="pointer"
      placeItems="center"
      _hover={{ bg: "bg.sunk" }}
      {...props}
    />
  );
}
