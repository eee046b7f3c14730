import { useTranslation } from "react-i18next";
import { addSensorFor } from "../../api/admin-sensors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useAccount } from "../../api/hooks.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { SENSORS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { SensorForm } from "../../domain/device/SensorForm.tsx";
import { NEW_SENSOR, NO_FARM, type SensorValues } from "../../domain/device/sensor-values.ts";
import { useSensorAdd } from "../../domain/device/use-sensor-add.ts";
import { type ChosenOwner, OwnerField } from "./OwnerField.tsx";
import { useFarmsOf, useGroundOf } from "./owner-choices.ts";

/** Form of a new sensor with its owner. */
type OwnedValues = SensorValues & ChosenOwner;

const NEW: OwnedValues = { ...NEW_SENSOR, userId: "", ownerText: "" };

/** Register a sensor for an account; its key is shown once if the API issues one. */
export function AdminSensorAddPage() {
  const { t } = useTranslation(["admin-sensor-add", "devices"]);
  const returnTo = useReturn(SENSORS_PATH);
  const account = useAccount();
  const crops = useExtension("admin-crops");
  const { form, made, leave } = useSensorAdd<OwnedValues>({
    values: NEW,
    draft: `new sensor by ${account.id}`,
    rules: (faults, { userId }) => ({
      ...faults,
      userId: userId === "" ? t("devices:fault.required") : undefined,
    }),
    crops,
    register: (rest, fields, { userId }) => addSensorFor(rest, userId, fields),
  });
  const { userId, ownerText, clusterId } = form.values;
  const farms = useFarmsOf(userId === "" ? null : userId, clusterId);
  // The field contains the username followed by the nickname.
  const [username = ""] = ownerText.split(" ");
  const ground = useGroundOf(userId === "" ? null : userId, username);
  return (
    <>
      <FormPage
        form={form}
        returnTo={returnTo}
        title={t("title")}
        submit={t("submit")}
        settled={made !== null}
      >
        <SensorForm mode="add" form={form} before={NEW} farms={farms} ground={ground} crops={crops}>
          <OwnerField
            userId={userId}
            ownerText={ownerText}
            error={form.error("userId")}
            onChange={(owner) => {
              form.set("userId", owner.userId);
              form.set("ownerText", owner.ownerText);
              // The sensor cannot be on a farm of another account.
              form.set("clusterId", NO_FARM);
            }}
          />
        </SensorForm>
      </FormPage>
      {made && <DeviceKeyDialog {...made} onClose={leave} />}
    </>
  );
}
