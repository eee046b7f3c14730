import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../api/hooks.ts";
import { addSensor } from "../../api/sensors.ts";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { SensorForm } from "../../domain/device/SensorForm.tsx";
import { NEW_SENSOR, type SensorValues } from "../../domain/device/sensor-values.ts";
import { useSensorAdd } from "../../domain/device/use-sensor-add.ts";
import { useOnlyFarmId } from "../../domain/farm/farms-by-name.ts";
import { useWidgets } from "../../domain/farm/use-widgets.ts";
import { FormPage } from "../../domain/form/form-page.tsx";
import { useFirstSync } from "../../live/hooks.ts";

/** Form of a new sensor; its key is shown once if the API issues one. */
export function SensorAddPage() {
  const { t } = useTranslation("sensor-add");
  const account = useAccount();
  const isSynced = useFirstSync() === "done";
  const isFirst = useWidgets().length === 0 && isSynced;
  // With one farm there is nothing to choose.
  const onlyFarm = useOnlyFarmId();
  const values = useMemo(() => ({ ...NEW_SENSOR, clusterId: onlyFarm ?? NEW_SENSOR.clusterId }), [onlyFarm]);
  const { form, made, leave } = useSensorAdd<SensorValues>({
    values,
    draft: `new sensor of ${account.id}`,
    rules: (faults) => faults,
    // Show the first sensor on the dashboard, even if the API would not do so by default.
    register: (rest, fields, _values, key) =>
      addSensor(rest, isFirst ? { ...fields, widget: true } : fields, key),
    listed: sensorList,
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
        <SensorForm mode="add" form={form} before={values} />
      </FormPage>
      {made && <DeviceKeyDialog {...made} onClose={leave} />}
    </>
  );
}
