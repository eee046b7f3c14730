import { fieldQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { VALVE } from "../../domain/log/valve-word.ts";
import { shapeOf } from "../../domain/map/marker.ts";
import { ShapeMark } from "../../domain/map/shape-mark.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import type { ListedDevice } from "./device-list.ts";
import { UnitWater } from "./UnitWater.tsx";
import { useMapSensor } from "./use-map-sensor.ts";

export interface DeviceRowProps {
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
