import { useCallback } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import { useMapStyleUrl } from "../rest/extensions.ts";
import { readDecimal } from "../ui/form/decimal.ts";
import { NumberField } from "../ui/form/number-field.tsx";
import type { FormControl } from "../ui/form/use-form.ts";
import { type Place, placeOf } from "../ui/map/place.ts";
import { PlacePicker } from "../ui/map/place-picker.tsx";
import { restoredCoordinate, type SensorValues } from "./sensor-values.ts";

interface PlaceFieldsProps {
  form: FormControl<SensorValues>;
  before: Pick<SensorValues, "latitude" | "longitude">;
}

const SENSORS = ["sensor.listing"] as const;

const samePlaces = (a: readonly Place[], b: readonly Place[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Where the farm's other sensors stand. @param before the place that this one had */
function useOthers({ latitude, longitude }: PlaceFieldsProps["before"]): readonly Place[] {
  const select = useCallback(
    ({ sensors }: LiveFarm) =>
      [...sensors.values()].flatMap(({ info }) => {
        const place = placeOf(info);
        const own = `${place?.latitude}` === latitude && `${place?.longitude}` === longitude;
        return place && !own ? [place] : [];
      }),
    [latitude, longitude],
  );
  return useLiveSelection(SENSORS, select, samePlaces);
}

/** Where a sensor stands: in degrees, or chosen on the map; what was emptied goes back to what it was. */
export function PlaceFields({ form, before }: PlaceFieldsProps) {
  const { t } = useTranslation("devices");
  const styleUrl = useMapStyleUrl();
  const others = useOthers(before);
  const field = (name: "latitude" | "longitude") => (
    <NumberField
      label={t(name)}
      name={name}
      value={form.values[name]}
      error={form.error(name)}
      onChange={(text) => form.set(name, text)}
      onBlur={() => {
        form.set(name, restoredCoordinate(form.values[name], before[name]));
        // A latitude alone is no fault while its longitude is still to be typed.
        if (form.values.latitude !== "" && form.values.longitude !== "") form.touch(name);
      }}
    />
  );
  return (
    <div className="sensor-form__place">
      <div className="form__pair">
        {field("latitude")}
        {field("longitude")}
      </div>
      <PlacePicker
        latitude={readDecimal(form.values.latitude)}
        longitude={readDecimal(form.values.longitude)}
        others={others}
        styleUrl={styleUrl ?? null}
        onPlace={({ latitude, longitude }) => {
          form.set("latitude", `${latitude}`);
          form.set("longitude", `${longitude}`);
        }}
      />
    </div>
  );
}
