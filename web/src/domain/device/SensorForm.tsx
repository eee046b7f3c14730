import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import { MAX_EXTERNAL_ID, MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { CheckField } from "../../components/choice.tsx";
import { SelectField, type SelectOption, TextArea, TextField } from "../../components/field.tsx";
import type { FormControl } from "../../components/form/use-form.ts";
import type { PlacedGround } from "../map/place-picker-props.ts";
import { PlaceFields } from "./PlaceFields.tsx";
import { ProfileSelect } from "./ProfileSelect.tsx";
import { useDeviceTypeOptions, useFarmOptions } from "./sensor-options.ts";
import { COT_CHOICES, plainSerial, type SensorMode, type SensorValues } from "./sensor-values.ts";
import "./sensor-form.css";

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

/** A serial can be typed with leading zeros. */
const SERIAL_LENGTH = MAX_SERIAL_DIGITS + 9;

/** Form fields of a sensor. */
export function SensorForm({ mode, form, before, farms, ground, crops = true, children }: SensorFormProps) {
  const { t } = useTranslation("devices");
  const devices = useExtension("devices");
  const types = useDeviceTypeOptions(form.values.deviceType);
  const ownFarms = useFarmOptions(form.values.clusterId);
  const { values } = form;
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
      {mode === "edit" && (
        <CheckField
          label={t("widget")}
          hint={t("widgetHint")}
          name="widget"
          checked={values.widget}
          onChange={(checked) => form.set("widget", checked)}
        />
      )}
      {devices && (
        <details
          className="sensor-form__lora"
          open={values.externalId !== "" || values.profile !== "" || undefined}
        >
          <summary>{t("lora.title")}</summary>
          <div className="form__pair">
            <TextField
              {...form.field("externalId")}
              label={t("lora.externalId")}
              hint={t("lora.externalIdHint")}
              autoComplete="off"
              maxLength={MAX_EXTERNAL_ID}
            />
            <ProfileSelect {...form.field("profile")} deviceType={values.deviceType} />
          </div>
        </details>
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
