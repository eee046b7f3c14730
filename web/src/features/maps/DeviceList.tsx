import "./device-list.css";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { SearchBox } from "../../components/field.tsx";
import { VALVE } from "../../domain/log/valve-word.ts";
import { shapeOf } from "../../domain/map/marker.ts";
import { ShapeMark } from "../../domain/map/shape-mark.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import {
  countCategories,
  countSensors,
  filterDevices,
  isShown,
  type ListedDevice,
  withCategory,
} from "./device-list.ts";
import { UnitWater } from "./UnitWater.tsx";
import { useMapSensor } from "./use-map-sensor.ts";

/** Rows that are drawn at first, and with each wish for more: a row follows its sensor. */
const ROWS = 60;
/** Fewer devices than this are found by looking. */
const SEARCH_FROM = 8;

export interface DeviceListProps {
  readonly devices: readonly ListedDevice[];
  /** Types that are shown; null is all. */
  readonly types: readonly string[] | null;
  readonly picked: string | null;
  readonly onPick: (id: string) => void;
}

/** Categories, of which several may be shown at once, and the devices of those that are. */
export function DeviceList({ devices, types, picked, onPick }: DeviceListProps) {
  const { t } = useTranslation("maps");
  const { category: categoryName, deviceType } = useLabels();
  const [text, setText] = useState("");
  const [rows, setRows] = useState(ROWS);
  const typed = useDeferredValue(text);
  const shown = filterDevices(devices, types, typed, deviceType);
  return (
    <div className="map-list">
      <ul className="map-list__types" aria-label={t("types")}>
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
      </ul>
      {devices.length >= SEARCH_FROM && (
        <div className="map-list__search">
          <SearchBox label={t("search")} text={text} onText={setText} />
        </div>
      )}
      <ul className="map-list__rows" aria-label={t("list")}>
        {shown.slice(0, rows).map((device) => (
          <li key={device.id}>
            <DeviceRow device={device} picked={device.id === picked} onPick={onPick} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="map-list__none">{t("nothingFound")}</p>}
      {shown.length > rows && (
        <button type="button" className="map-list__more" onClick={() => setRows(rows + ROWS)}>
          {t("more", { count: shown.length - rows })}
        </button>
      )}
    </div>
  );
}

interface DeviceRowProps {
  readonly device: ListedDevice;
  readonly picked: boolean;
  readonly onPick: (id: string) => void;
}

/** A device of the list: its reading, or, where it is not placed, the way to place it. */
export function DeviceRow({ device, picked, onPick }: DeviceRowProps) {
  const { t } = useTranslation("maps");
  const sensor = useMapSensor(device.id);
  const [primary] = sensor?.fields ?? [];
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
      <span className="map-row__value">
        {sensor && primary?.name === VALVE && <UnitWater id={device.id} />}
        {sensor && primary && primary.name !== VALVE && (
          <ReadingValue
            value={readingNumber(sensor.value.reading, primary.name)}
            field={primary}
            where="card"
            quality={fieldQuality(sensor.quality, sensor.value, primary.name)}
            size="body"
          />
        )}
        {sensor && <QualityMark quality={sensor.quality} ageMs={sensor.ageMs} />}
      </span>
    </button>
  );
}
