import { CONTROLLER_TYPES, isControllerType } from "@mulkko/shared/catalogue/controller-types";
import { useTranslation } from "react-i18next";
import { NumberField, SelectField, TextArea, TextField } from "../../components/field.tsx";
import type { FormControl } from "../../components/form/use-form.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type ControllerValues, DRIVERS, NATIVE, NO_FARM, type Offers } from "./controller-form.ts";
import { useFarmChoices } from "./use-controller.ts";

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;
const MAX_ADDRESS = 128;

export interface ControllerFieldsProps {
  form: FormControl<ControllerValues>;
  offers: Offers;
  onType: (type: string) => void;
}

/** Name and type of a controller, and the fields that the farm API has beyond the base contract. */
export function ControllerFields({ form, offers, onType }: ControllerFieldsProps) {
  const { t } = useTranslation(["controller-edit", "common"]);
  const labels = useLabels();
  const farms = useFarmChoices();
  const { values } = form;
  const types = Object.keys(CONTROLLER_TYPES);
  // Keep a controller type that only a foreign API knows.
  const choices = values.type === "" || types.includes(values.type) ? types : [...types, values.type];
  const kinds = isControllerType(values.type)
    ? CONTROLLER_TYPES[values.type].sensorTypes.map((each) => labels.deviceType(each)).join(", ")
    : "";
  const drivers: readonly string[] = DRIVERS;
  return (
    <>
      <div className="form__pair">
        <TextField
          label={t("field.name")}
          name="name"
          required
          maxLength={MAX_NAME}
          value={values.name}
          error={form.error("name")}
          onChange={(event) => form.set("name", event.target.value)}
          onBlur={() => form.touch("name")}
        />
        <NumberField
          label={t("common:field.serial")}
          name="serial"
          required
          whole
          value={values.serial}
          error={form.error("serial")}
          onChange={(text) => form.set("serial", text)}
          onBlur={() => form.touch("serial")}
        />
      </div>
      <TextArea
        label={t("field.description")}
        name="description"
        maxLength={MAX_DESCRIPTION}
        value={values.description}
        error={form.error("description")}
        onChange={(event) => form.set("description", event.target.value)}
      />
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
            label={t("field.farm")}
            name="clusterId"
            value={values.clusterId}
            error={form.error("clusterId")}
            options={[
              { value: NO_FARM, label: t("field.noFarm") },
              ...farms.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(farm) => form.set("clusterId", farm)}
          />
        )}
      </div>
      {offers.drivers && (
        <div className="form__pair">
          <SelectField
            label={t("field.driver")}
            name="driver"
            value={values.driver}
            hint={t("field.driverHint")}
            error={form.error("driver")}
            options={(drivers.includes(values.driver) ? drivers : [...drivers, values.driver]).map(
              (each) => ({
                value: each,
                label:
                  each === NATIVE ? t("field.native") : each === "tasmota" ? "Tasmota" : "Shelly (Gen2+)",
              }),
            )}
            onChange={(driver) => form.set("driver", driver)}
          />
          {values.driver !== NATIVE && (
            <TextField
              label={t("field.address")}
              name="address"
              required
              maxLength={MAX_ADDRESS}
              hint={t("field.addressHint")}
              value={values.address}
              error={form.error("address")}
              onChange={(event) => form.set("address", event.target.value)}
              onBlur={() => form.touch("address")}
            />
          )}
        </div>
      )}
    </>
  );
}
