import { Box, chakra, Flex, Stack, Text } from "@chakra-ui/react";
import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import type { DeviceProfile } from "@mulkko/shared/rest/device-profile";
import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import { MAX_EXTERNAL_ID, MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useExtension, useMapStyleUrl } from "../../api/extensions.ts";
import { usePerson } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { fetchDeviceProfiles } from "../../api/sensors.ts";
import { NumberField, SelectField, type SelectOption, TextArea, TextField } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { farmOptions, useFarmsByName } from "../farm/farms-by-name.ts";
import { readDecimal } from "../form/decimal.ts";
import { type Deletion, DeletionQuestion } from "../form/deletion-question.tsx";
import { FormCheck } from "../form/form-check.tsx";
import type { FieldProps, FormControl } from "../form/use-form.ts";
import type { PlacedGround } from "../map/marker.tsx";
import { PlacePicker } from "../map/place-picker.tsx";
import { useOwnGround } from "./placed-ground.ts";
import {
  COT_CHOICES,
  NO_FARM,
  plainSerial,
  restoredCoordinate,
  type SensorMode,
  type SensorValues,
} from "./sensor-values.ts";

/** Longest name of a decoder. */
const MAX_LENGTH = 64;

/** Choose the decoder for a LoRaWAN device's messages. Without a list from the API its name can be typed. */
function ProfileSelect({ deviceType, field }: { deviceType: string; field: FieldProps<string> }) {
  const { t } = useTranslation("devices");
  const { value } = field;
  const { data: profiles, error: unknown } = useRestQuery(["device-profiles"], fetchDeviceProfiles);
  if (unknown !== null) {
    return (
      <TextField {...field} label={t("lora.profile")} hint={t("lora.profileTyped")} maxLength={MAX_LENGTH} />
    );
  }
  const known = profiles === null ? [] : fittingProfiles(profiles, deviceType, value);
  const lost = value !== "" && !known.some(({ name }) => name === value);
  return (
    <SelectField
      {...field}
      label={t("lora.profile")}
      hint={t("lora.profileHint")}
      options={[
        { value: "", label: t("lora.profileNone") },
        ...known.map(({ name, maker, model }) => ({ value: name, label: `${maker} ${model}`, group: maker })),
        ...(lost ? [{ value, label: value }] : []),
      ]}
    />
  );
}

/** Return the types that a device can be registered as, and its current one. */
function useDeviceTypeOptions(current: string): readonly SelectOption[] {
  const labels = useLabels();
  const types = DEVICE_TYPES.map(({ type }) => type);
  const all = current === "" || types.includes(current) ? types : [...types, current];
  return all.map((value) => {
    const title = labels.deviceType(value);
    return { value, label: title === value ? value : `${title} (${value})` };
  });
}

interface SensorFormProps {
  mode: SensorMode;
  form: FormControl<SensorValues>;
  /** Coordinates to which an emptied field returns. */
  before: Pick<SensorValues, "latitude" | "longitude">;
  /** Farms to choose from, if they are not those of the signed-in account. */
  farms?: readonly SelectOption[];
  /** Places of its owner, if another account is signed in. */
  ground?: PlacedGround;
  /** False if the API call that saves the sensor has no crop field. */
  crops?: boolean;
  /** Content above the fields: a photo, an owner. */
  children?: ReactNode;
}

const SUMMARY = {
  alignItems: "center",
  justifyContent: "space-between",
  gap: "2",
  minH: "12",
  px: "4",
  fontWeight: "medium",
  cursor: "pointer",
  _after: { content: '""', boxSize: "2", borderWidth: "0 2px 2px 0", borderColor: "fg", rotate: "45deg" },
  "[open] > &::after": { rotate: "-135deg" },
} as const;

/** A serial can be typed with leading zeros. */
const SERIAL_LENGTH = MAX_SERIAL_DIGITS + 9;

export function SensorForm({ mode, form, before, farms, ground, crops = true, children }: SensorFormProps) {
  const { t } = useTranslation("devices");
  const devices = useExtension("devices");
  const types = useDeviceTypeOptions(form.values.deviceType);
  const { values } = form;
  const { clusterId } = values;
  const none = { value: NO_FARM, label: t("farmNone") };
  const ownFarms = farmOptions(useFarmsByName(), none, { id: clusterId, name: clusterId });
  const isNew = mode === "add";
  const hasSerial = mode !== "edit";
  return (
    <>
      {children}
      <div className="form__pair">
        <TextField {...form.field("name")} label={t("name")} required={isNew} maxLength={MAX_NAME} />
        <TextField
          {...form.field("serial")}
          label={t("serial")}
          hint={t(hasSerial ? "serialHint" : "serialLocked")}
          required={hasSerial}
          readOnly={!hasSerial}
          inputMode="numeric"
          autoComplete="off"
          maxLength={SERIAL_LENGTH}
          onBlur={() => {
            if (!hasSerial) return;
            form.set("serial", plainSerial(values.serial));
            form.touch("serial");
          }}
        />
        <SelectField
          {...form.field("deviceType")}
          label={t("deviceType")}
          required
          options={types}
          placeholder={t("deviceTypeNone")}
        />
        {values.deviceType === "COT" && (
          <SelectField
            {...form.field("chNums")}
            label={t("chNums")}
            options={channelOptions(values.chNums)}
          />
        )}
        <SelectField {...form.field("clusterId")} label={t("farm")} options={farms ?? ownFarms} />
        {crops && <TextField {...form.field("crops")} label={t("crops")} maxLength={MAX_NAME} />}
      </div>
      <TextArea
        {...form.field("description")}
        label={t("description")}
        rows={3}
        maxLength={MAX_DESCRIPTION}
      />
      <PlaceFields form={form} before={before} ground={ground} />
      {mode === "edit" && <FormCheck {...form.field("widget")} label={t("widget")} hint={t("widgetHint")} />}
      {devices && (
        <chakra.details
          borderWidth="1px"
          rounded="card"
          open={values.externalId !== "" || values.profile !== "" || undefined}
        >
          <Flex as="summary" css={SUMMARY}>
            {t("lora.title")}
          </Flex>
          <Box className="form__pair" pt="1" px="4" pb="4">
            <TextField
              {...form.field("externalId")}
              label={t("lora.externalId")}
              hint={t("lora.externalIdHint")}
              autoComplete="off"
              maxLength={MAX_EXTERNAL_ID}
            />
            <ProfileSelect field={form.field("profile")} deviceType={values.deviceType} />
          </Box>
        </chakra.details>
      )}
    </>
  );
}

/** Return the offered channel counts and the current one. */
function channelOptions(current: string) {
  const counts = COT_CHOICES.map(String);
  const all = counts.includes(current) ? counts : [current, ...counts];
  return all.map((value) => ({ value, label: value }));
}

interface PlaceFieldsProps {
  form: FormControl<SensorValues>;
  before: Pick<SensorValues, "latitude" | "longitude">;
  /** Places of the sensor's owner, if another account is signed in. */
  ground: PlacedGround | undefined;
}

/**
 * Location of a sensor, typed in degrees or chosen on the map. An emptied field returns to its stored value.
 */
function PlaceFields({ form, before, ground }: PlaceFieldsProps) {
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
        onFallback={() => setFellBack(true)}
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

/** Return the decoders that match a device type, and the current one whatever its type. */
export function fittingProfiles(
  profiles: readonly DeviceProfile[],
  deviceType: string,
  chosen: string,
): readonly DeviceProfile[] {
  return profiles.filter(({ name, deviceTypes }) => name === chosen || deviceTypes.includes(deviceType));
}

interface SensorPhotoProps {
  sensor: SensorInfo;
  form: FormControl<SensorValues>;
  disabled?: boolean;
}

/** Show the stored photo of a sensor and let the user replace it. */
export function SensorPhoto({ sensor, form, disabled = false }: SensorPhotoProps) {
  const { t } = useTranslation("devices");
  return (
    <ImageField
      label={t("edit.photo")}
      value={form.values.image}
      current={sensor.imagePath}
      error={form.error("image")}
      disabled={disabled}
      onChange={(image) => form.set("image", image)}
    />
  );
}

/** Confirm the deletion of a sensor and of all its measurements. */
export function SensorDeletion({ name, deletion }: { name: string; deletion: Deletion<string> }) {
  const { t } = useTranslation("devices");
  return (
    <DeletionQuestion title={t("delete.title", { name })} deletion={deletion}>
      <p>{t("delete.text", { name })}</p>
    </DeletionQuestion>
  );
}
