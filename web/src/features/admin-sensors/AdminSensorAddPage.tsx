import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { SENSORS_PATH, useReturn } from "../../admin/use-return.ts";
import { DeviceKeyDialog } from "../../devices/DeviceKeyDialog.tsx";
import { SensorForm } from "../../devices/SensorForm.tsx";
import {
  addForm,
  NEW_SENSOR,
  NO_FARM,
  plainSerial,
  type SensorValues,
  sensorFaults,
} from "../../devices/sensor-values.ts";
import { useSensorWords } from "../../devices/use-sensor-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { addSensorFor } from "../../rest/admin-sensors.ts";
import { ApiError, errorCode } from "../../rest/errors.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useAccount, useRest } from "../../rest/hooks.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { FormPage } from "../../ui/form/form-page.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { useForm } from "../../ui/form/use-form.ts";
import { OwnerField } from "./OwnerField.tsx";
import { useFarmsOf } from "./use-farms-of.ts";

/** A new sensor's form, and whose it is to be. */
interface OwnedValues extends SensorValues {
  /** The account's id; empty while none is chosen. */
  readonly userId: string;
}

const NEW: OwnedValues = { ...NEW_SENSOR, userId: "" };
const HOME = "/dashboard";

/** Registers a sensor for an account; its key is shown once, where the API makes one. */
export function AdminSensorAddPage() {
  const { t } = useTranslation(["admin-sensor-add", "common", "devices"]);
  const labels = useLabels();
  const navigate = useNavigate();
  const returnTo = useReturn(SENSORS_PATH);
  const account = useAccount();
  const { client } = useRest();
  const devices = useExtension("devices");
  const words = useSensorWords();
  const [made, setMade] = useState<{ deviceKey: string; serial: string } | null>(null);
  const form = useForm<OwnedValues>({
    initial: NEW,
    draft: `new sensor by ${account.id}`,
    rules: (values) => ({
      ...words.faults(sensorFaults(values, "add")),
      userId: values.userId === "" ? t("devices:fault.required") : undefined,
    }),
    conflictField: "serial",
    conflictWords: t("devices:fault.serialTaken"),
    serverWords: words.server,
    async submit(values) {
      const deviceKey = await addSensorFor(client, values.userId, addForm(values, devices)).catch((error) => {
        // What belongs to a field is said there.
        if (error instanceof ApiError && (error.status === 409 || error.fields.length > 0)) throw error;
        throw new FormFailure(`${t("failed")} ${labels.error(errorCode(error))}`);
      });
      toaster.create({ type: "success", title: t("added", { name: values.name.trim() }) });
      if (deviceKey === null) await navigate(HOME);
      else setMade({ deviceKey, serial: plainSerial(values.serial) });
    },
  });
  const { userId, clusterId } = form.values;
  const farms = useFarmsOf(userId === "" ? null : userId, clusterId);
  return (
    <>
      <FormPage
        form={form}
        returnTo={returnTo}
        title={t("title")}
        submit={t("submit")}
        settled={made !== null}
      >
        <SensorForm mode="add" form={form} before={NEW} farms={farms}>
          <OwnerField
            value={userId}
            error={form.error("userId")}
            onChange={(id) => {
              form.set("userId", id);
              // The farms of another account are no place for it.
              form.set("clusterId", NO_FARM);
            }}
          />
        </SensorForm>
      </FormPage>
      {made && <DeviceKeyDialog {...made} onClose={() => void navigate(HOME)} />}
    </>
  );
}
