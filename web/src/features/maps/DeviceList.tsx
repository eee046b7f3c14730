import { Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { ChipRow } from "../../components/chip.tsx";
import { SearchBox } from "../../components/field.tsx";
import { useSensor } from "../../domain/device/use-sensor.ts";
import { ShapeMark, shapeOf } from "../../domain/map/marker.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { MapReading } from "./DeviceBrief.tsx";
import {
  countCategories,
  countSensors,
  filterDevices,
  isShown,
  type ListedDevice,
  withCategory,
} from "./device-list.ts";

/** Number of rows rendered at first, and added on each request: each row follows its sensor. */
const ROWS = 60;
/** Number of devices from which the list has a search. */
const SEARCH_FROM = 8;

export interface DeviceListProps {
  readonly devices: readonly ListedDevice[];
  /** Shown types; null means all. */
  readonly types: readonly string[] | null;
  readonly picked: string | null;
  readonly onPick: (id: string) => void;
}

/** List the categories, of which several can be shown at once, and the devices of the shown ones. */
export function DeviceList({ devices, types, picked, onPick }: DeviceListProps) {
  const { t } = useTranslation("maps");
  const { category: categoryName, deviceType } = useLabels();
  const [text, setText] = useState("");
  const [rows, setRows] = useState(ROWS);
  const typed = useDeferredValue(text);
  const shown = filterDevices(devices, types, typed, deviceType);
  return (
    <Flex position="relative" direction="column" flex="1" minH="0" overflowY={{ md: "auto" }}>
      <ChipRow gap="1.5" flex="none" mx="0" px={{ base: "page", md: "4" }} pb="3" aria-label={t("types")}>
        <li>
          <Link
            className="map-type"
            data-testid="map-type"
            to="/maps"
            aria-current={types === null ? "true" : undefined}
            replace
          >
            {t("all")}
            <span className="map-type__count">{countSensors(devices)}</span>
          </Link>
        </li>
        {countCategories(devices).map((category) => (
          <li key={category.name}>
            <Link
              className="map-type"
              data-testid="map-type"
              to={withCategory(category, types)}
              aria-current={isShown(category, types) ? "true" : undefined}
              replace
            >
              <ShapeMark shape={shapeOf(category.name)} />
              {categoryName(category.name)}
              <span className="map-type__count">{category.count}</span>
            </Link>
          </li>
        ))}
      </ChipRow>
      {devices.length >= SEARCH_FROM && (
        <Grid mx="4" mb="3">
          <SearchBox label={t("search")} text={text} onText={setText} />
        </Grid>
      )}
      <chakra.ul borderTopWidth="1px" css={{ "& > li": { borderBottomWidth: "1px" } }} aria-label={t("list")}>
        {shown.slice(0, rows).map((device) => (
          <li key={device.id}>
            <DeviceRow device={device} picked={device.id === picked} onPick={onPick} />
          </li>
        ))}
      </chakra.ul>
      {shown.length === 0 && (
        <Text px="4" py="8" color="fg.muted" textAlign="center">
          {t("nothingFound")}
        </Text>
      )}
      {shown.length > rows && (
        <Button variant="plain" flex="none" textDecoration="underline" onClick={() => setRows(rows + ROWS)}>
          {t("more", { count: shown.length - rows })}
        </Button>
      )}
    </Flex>
  );
}

interface DeviceRowProps {
  readonly device: ListedDevice;
  readonly picked: boolean;
  readonly onPick: (id: string) => void;
}

/** Show a device with its reading, or with a link to place it on the map. */
export function DeviceRow({ device, picked, onPick }: DeviceRowProps) {
  const { t } = useTranslation("maps");
  const sensor = useSensor(device.id);
  const inside = (
    <>
      <span className="map-row__mark">
        <ShapeMark shape={shapeOf(device.deviceType)} size={18} />
      </span>
      <span className="map-row__text">
        <span className="map-row__name">{device.name}</span>
        <span className="map-row__serial">{device.place ? device.serial : t("noPlace")}</span>
      </span>
    </>
  );
  if (!device.place) {
    return (
      <div className="map-row" data-testid="map-row" data-placed="no">
        {inside}
        <OwnLink
          className="map-row__place"
          to={`/maps/edit?id=${encodeURIComponent(device.id)}`}
          aria-label={`${device.name}: ${t("setPlace")}`}
        >
          {t("setPlace")}
        </OwnLink>
      </div>
    );
  }
  return (
    <button
      type="button"
      className="map-row"
      data-testid="map-row"
      aria-pressed={picked}
      onClick={() => onPick(device.id)}
    >
      {inside}
      <span className="value-over-age">
        {sensor?.primary && <MapReading sensor={sensor} field={sensor.primary} size="body" />}
        {sensor && <QualityMark quality={sensor.quality} ageMs={sensor.ageMs} />}
      </span>
    </button>
  );
}
