import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { SearchBox } from "../../components/field.tsx";
import { shapeOf } from "../../domain/map/marker.ts";
import { ShapeMark } from "../../domain/map/shape-mark.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { DeviceRow } from "./DeviceRow.tsx";
import {
  countCategories,
  countSensors,
  filterDevices,
  isShown,
  type ListedDevice,
  withCategory,
} from "./device-list.ts";
import "./device-list.css";

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
