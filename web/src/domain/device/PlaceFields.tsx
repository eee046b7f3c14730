import { Stack, Text } from "@chakra-ui/react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMapStyleUrl } from "../../api/extensions.ts";
import { usePerson } from "../../api/hooks.ts";
import { NumberField } from "../../components/field.tsx";
import { readDecimal } from "../../components/form/decimal.ts";
import type { FormControl } from "../../components/form/use-form.ts";
import { PlacePicker } from "../map/place-picker.tsx";
import type { PlacedGround } from "../map/place-picker-props.ts";
import { useOwnGround } from "./placed-ground.ts";
import { NO_FARM, restoredCoordinate, type SensorValues } from "./sensor-values.ts";

interface PlaceFieldsProps {
  form: FormControl<SensorValues>;
  before: Pick<SensorValues, "latitude" | "longitude">;
  /** Places of the sensor's owner, if another account is signed in. */
  ground: PlacedGround | undefined;
}

/**
 * Location of a sensor, typed in degrees or chosen on the map. An emptied field returns to its stored value.
 */
export function PlaceFields({ form, before, ground }: PlaceFieldsProps) {
  const { t } = useTranslation("devices");
  const styleUrl = useMapStyleUrl();
  const isAdmin = usePerson().userType === "ADMIN";
  const [fellBack, setFellBack] = useState(false);
  const own = useOwnGround();
  const around = ground ?? own;
  const { latitude: oldLatitude, longitude: oldLongitude } = before;
  // The pin shows the location of this sensor.
  const shown = useMemo(
    () => ({
      ...around,
      markers: around.markers.filter(
        ({ latitude, longitude }) => `${latitude}` !== oldLatitude || `${longitude}` !== oldLongitude,
      ),
    }),
    [around, oldLatitude, oldLongitude],
  );
  const fallBack = useCallback(() => setFellBack(true), []);
  const field = (name: "latitude" | "longitude") => (
    <NumberField
      {...form.field(name)}
      label={t(name)}
      onBlur={() => {
        form.set(name, restoredCoordinate(form.values[name], before[name]));
        // Do not report a fault for a latitude before the longitude is typed.
        if (form.values.latitude !== "" && form.values.longitude !== "") form.touch(name);
      }}
    />
  );
  return (
    <Stack gap="3" minW="0">
      <div className="form__pair">
        {field("latitude")}
        {field("longitude")}
      </div>
      <PlacePicker
        latitude={readDecimal(form.values.latitude)}
        longitude={readDecimal(form.values.longitude)}
        ground={shown}
        farmId={form.values.clusterId === NO_FARM ? null : form.values.clusterId}
        styleUrl={styleUrl ?? null}
        onFallback={fallBack}
        onPlace={({ latitude, longitude }) => {
          form.set("latitude", `${latitude}`);
          form.set("longitude", `${longitude}`);
        }}
      />
      <Text color="fg.muted" fontSize="label">
        {styleUrl === null || fellBack
          ? `${t(shown.markers.length === 0 ? "noLand.alone" : "noLand.text")} ${t(isAdmin ? "noLand.admin" : "noLand.user")}`
          : t("onMap")}
      </Text>
    </Stack>
  );
}
