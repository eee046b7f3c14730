import { DeviceKeyDialog } from "../../devices/DeviceKeyDialog.tsx";
import { SensorForm } from "../../devices/SensorForm.tsx";
import { NEW_SENSOR, type SensorValues } from "../../devices/sensor-values.ts";
import { useSensorAdd } from "../../devices/use-sensor-add.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAccount } from "../../rest/hooks.ts";
import { addSensor } from "../../rest/sensors.ts";
import { FormPage } from "../../ui/form/form-page.tsx";

/** A new sensor; its key is shown once, where the API makes one. */
export function SensorAddPage() {
  const { t } = useTranslation("sensor-add");
  const account = useAccount();
  const { form, made, leave } = useSensorAdd<SensorValues>({
    initial: NEW_SENSOR,
    draft: `new sensor of ${account.id}`,
    rules: (faults) => faults,
    register: addSensor,
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
      {made && <DeviceKeyDialog {...made} onClose={leave} />}
    </>
  );
}
