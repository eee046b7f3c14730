import { useTranslation } from "react-i18next";
import type { FieldLabels } from "../form/form-notes.tsx";
import { type Faults, faultTexts } from "../form/use-form.ts";
import type { SensorFault, SensorValues } from "./sensor-values.ts";

/** Return the translations of the form's faults and of the farm API's. */
export function useSensorTexts() {
  const { t } = useTranslation("devices");
  return {
    faults: (faults: Partial<Record<keyof SensorValues, SensorFault>>): Faults<SensorValues> =>
      faultTexts(faults, (fault) => t(`fault.${fault}`)),
    server(field: string, sentence: string) {
      if (field === "deviceType" && sentence.includes("controller")) return t("fault.onController");
      if (field === "externalId" && sentence.includes("another")) return t("fault.externalTaken");
      if (field === "serial" && sentence.includes("another")) return t("fault.serialTaken");
      if (field === "profile") return t("fault.profile");
      return undefined;
    },
  };
}

export function useSensorLabels(): FieldLabels {
  const { t } = useTranslation("devices");
  return {
    name: t("name"),
    serial: t("serial"),
    deviceType: t("deviceType"),
    crops: t("crops"),
    description: t("description"),
    latitude: t("latitude"),
    longitude: t("longitude"),
    widget: t("widget"),
    externalId: t("lora.externalId"),
  };
}
