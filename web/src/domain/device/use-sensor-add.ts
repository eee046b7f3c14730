import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { RestClient } from "../../api/client.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import type { FormFields } from "../../api/http.ts";
import { type DeviceList, hasSerial } from "../../api/sensors.ts";
import { toaster } from "../../components/toaster.tsx";
import { type Faults, useForm } from "../form/use-form.ts";
import type { MadeKey } from "./DeviceKeyDialog.tsx";
import { triedSensor } from "./device-key-text.ts";
import { addForm, plainSerial, type SensorValues, sensorFaults } from "./sensor-values.ts";
import { useSensorTexts } from "./use-sensor-texts.ts";

const HOME = "/dashboard";

interface SensorAddOptions<V extends SensorValues> {
  readonly values: V;
  readonly draft: string;
  /** Add checks to the common ones. @param faults of the fields that every sensor has */
  readonly rules: (faults: Faults<SensorValues>, values: V) => Faults<V>;
  /** False if the API call has no crop field. */
  readonly crops?: boolean;
  /** Register the sensor as the user or as an administrator. @returns the device key if the API issues one */
  readonly register: (
    rest: RestClient,
    fields: FormFields,
    values: V,
    idempotencyKey: string,
  ) => Promise<DeviceKey | null>;
  /** List in which a registered sensor appears. */
  readonly listed: DeviceList;
}

/** Register a sensor, show its key if the API issues one, then navigate to the dashboard. */
export function useSensorAdd<V extends SensorValues>({
  values,
  draft,
  rules,
  crops = true,
  register,
  listed,
}: SensorAddOptions<V>) {
  const { t } = useTranslation("devices");
  const navigate = useNavigate();
  const { client } = useRest();
  const devices = useExtension("devices");
  const isIdempotent = useExtension("idempotent-create");
  const texts = useSensorTexts();
  const [made, setMade] = useState<MadeKey | null>(null);
  const form = useForm<V>({
    values,
    draft,
    rules: (values) => rules(texts.faults(sensorFaults(values, "add")), values),
    conflictField: "serial",
    conflictTexts: t("fault.serialTaken"),
    serverTexts: texts.server,
    failed: t("add.failed"),
    creates: { isIdempotent, exists: ({ serial }) => hasSerial(client, listed, plainSerial(serial)) },
    async submit(values, once) {
      const key = await register(client, addForm(values, { devices, crops }), values, once);
      toaster.create({ type: "success", title: t("add.done", { name: values.name.trim() }) });
      if (key !== null) {
        const device = triedSensor(values.deviceType);
        setMade({ made: key, serial: plainSerial(values.serial), device });
      }
    },
    saved: () => {
      if (made === null) void navigate(HOME);
    },
  });
  return { form, made, leave: () => void navigate(HOME) };
}
