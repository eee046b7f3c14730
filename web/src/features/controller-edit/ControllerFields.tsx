import { CONTROLLER_TYPES } from "@mulkko/shared/catalogue/controller-types";
import { useTranslation } from "react-i18next";
import { NumberField, SelectField, TextArea, TextField } from "../../components/field.tsx";
import { useFarmsByName } from "../../domain/farm/farms-by-name.ts";
import type { FormControl } from "../../domain/form/use-form.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type ControllerValues, DRIVERS, NATIVE, NO_FARM, type Offers } from "./controller-form.ts";
import { useSensorKinds } from "./SensorDialog.tsx";

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;
const MAX_ADDRESS = 128;

interface ControllerFieldsProps {
  form: FormControl<ControllerValues>;
  offers: Offers;
  onType: (type: string) => void;
}

/** Name and type of a controller, and the fields that the farm API has beyond the base contract. */
export function ControllerFields({ form, offers, onType }: ControllerFieldsProps) {
  const { t } = useTranslation(["controller-edit", "common"]);
  const labels = useLabels();
  const farms = useFarmsByName();
  const { values } = form;
  const types = Object.keys(CONTROLLER_TYPES);
  // Keep a controller type that only a foreign API knows.
  const choices = values.type === "" || types.includes(values.type) ? types : [...types, values.type];
  const kinds = useSensorKinds(values.type);
  return (
    <>
      <div className="form__pair">
        <TextField {...form.field("name")} label={t("field.name")} required maxLength={MAX_NAME} />
        <NumberField {...form.field("serial")} label={t("common:field.serial")} required whole />
      </div>
      <TextArea {...form.field("description")} label={t("field.description")} maxLength={MAX_DESCRIPTION} />
      <div className="form__pair">
        <SelectField
          label={t("field.type")}
          name="type"
          value={values.type}
          {...(values.type === "" ? { placeholder: t("field.typeUnknown") } : {})}
          hint={kinds && t("field.typeHint", { kinds })}
          error={form.error("type")}
          options={choices.map((each) => ({ value: each, label: `${labels.deviceType(each)} (${each})` }))}
          onChange={onType}
        />
        {offers.farms && (
          <SelectField
            {...form.field("clusterId")}
            label={t("field.farm")}
            options={[
              { value: NO_FARM, label: t("field.noFarm") },
              ...farms.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </div>
      {offers.drivers && (
        <div className="form__pair">
          <SelectField
            {...form.field("driver")}
            label={t("field.driver")}
            hint={t("field.driverHint")}
            options={[...new Set([...DRIVERS, values.driver])].map((each) => ({
              value: each,
              label: each === NATIVE ? t("field.native") : each === "tasmota" ? "Tasmota" : "Shelly (Gen2+)",
            }))}
          />
          {values.driver !== NATIVE && (
            <TextField
              {...form.field("address")}
              label={t("field.address")}
              required
              maxLength={MAX_ADDRESS}
              hint={t("field.addressHint")}
            />
          )}
        </div>
      )}
    </>
  );
}
