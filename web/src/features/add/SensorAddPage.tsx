import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { DeviceKeyDialog } from "../../devices/DeviceKeyDialog.tsx";
import { SensorForm } from "../../devices/SensorForm.tsx";
import {
  addForm,
  NEW_SENSOR,
  plainSerial,
  type SensorValues,
  sensorFaults,
} from "../../devices/sensor-values.ts";
import { useSensorWords } from "../../devices/use-sensor-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useAccount, useRest } from "../../rest/hooks.ts";
import { addSensor } from "../../rest/sensors.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { FormPage } from "../../ui/form/form-page.tsx";
import { useForm } from "../../ui/form/use-form.ts";

/** Where a new sensor, farm or changed account leads. */
const HOME = "/dashboard";

/** A new sensor; its key is shown once, where the API makes one. */
export function SensorAddPage() {
  const { t } = useTranslation(["sensor-add", "devices", "common"]);
  const navigate = useNavigate();
  const account = useAccount();
  const { client } = useRest();
  const devices = useExtension("devices");
  const words = useSensorWords();
  const [made, setMade] = useState<{ deviceKey: string; serial: string } | null>(null);
  const form = useForm<SensorValues>({
    initial: NEW_SENSOR,
    draft: `new sensor of ${account.id}`,
    rules: (values) => words.faults(sensorFaults(values, "add")),
    conflictField: "serial",
    conflictWords: t("devices:fault.serialTaken"),
    serverWords: words.server,
    async submit(values) {
      const deviceKey = await addSensor(client, addForm(values, devices));
      toaster.create({ type: "success", title: t("added", { name: values.name.trim() }) });
      if (deviceKey === null) await navigate(HOME);
      else setMade({ deviceKey, serial: plainSerial(values.serial) });
    },
  });
  return (
    <>
      <FormPage
        form={form}
        returnTo="/addpage"
        title={t("title")}
        submit={t("submit")}
        settled={made !== null}
      >
        <SensorForm mode="add" form={form} before={NEW_SENSOR} />
      </FormPage>
      {made && <DeviceKeyDialog {...made} onClose={() => void navigate(HOME)} />}
    </>
  );
}
