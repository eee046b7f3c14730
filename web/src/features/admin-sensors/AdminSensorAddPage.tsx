import { SENSORS_PATH, useReturn } from "../../admin/use-return.ts";
import { DeviceKeyDialog } from "../../devices/DeviceKeyDialog.tsx";
import { SensorForm } from "../../devices/SensorForm.tsx";
import { NEW_SENSOR, NO_FARM, type SensorValues } from "../../devices/sensor-values.ts";
import { useSensorAdd } from "../../devices/use-sensor-add.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { addSensorFor } from "../../rest/admin-sensors.ts";
import { ApiError } from "../../rest/errors.ts";
import { useAccount } from "../../rest/hooks.ts";
import { useErrorWords } from "../../ui/feedback/use-error-words.ts";
import { FormPage } from "../../ui/form/form-page.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { type ChosenOwner, OwnerField } from "./OwnerField.tsx";
import { useFarmsOf } from "./use-farms-of.ts";

/** A new sensor's form, and whose it is to be. */
type OwnedValues = SensorValues & ChosenOwner;

const NEW: OwnedValues = { ...NEW_SENSOR, userId: "", ownerText: "" };

/** Registers a sensor for an account; its key is shown once, where the API makes one. */
export function AdminSensorAddPage() {
  const { t } = useTranslation(["admin-sensor-add", "devices"]);
  const errorWords = useErrorWords();
  const returnTo = useReturn(SENSORS_PATH);
  const account = useAccount();
  const { form, made, leave } = useSensorAdd<OwnedValues>({
    initial: NEW,
    draft: `new sensor by ${account.id}`,
    rules: (faults, { userId }) => ({
      ...faults,
      userId: userId === "" ? t("devices:fault.required") : undefined,
    }),
    register: (rest, fields, { userId }) =>
      addSensorFor(rest, userId, fields).catch((error) => {
        // What belongs to a field is said there.
        if (error instanceof ApiError && (error.status === 409 || error.fields.length > 0)) throw error;
        throw new FormFailure(`${t("failed")} ${errorWords(error)}`);
      }),
  });
  const { userId, ownerText, clusterId } = form.values;
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
            userId={userId}
            ownerText={ownerText}
            error={form.error("userId")}
            onChange={(owner) => {
              form.set("userId", owner.userId);
              form.set("ownerText", owner.ownerText);
              // The farms of another account are no place for it.
              form.set("clusterId", NO_FARM);
            }}
          />
        </SensorForm>
      </FormPage>
      {made && <DeviceKeyDialog {...made} onClose={leave} />}
    </>
  );
}
