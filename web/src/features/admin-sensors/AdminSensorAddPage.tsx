import { adminSensors } from "@mulkko/shared/rest/operations/admin";
import { useTranslation } from "react-i18next";
import { addSensorFor, findOwners, type Owner } from "../../api/admin-sensors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useAccount } from "../../api/hooks.ts";
import { pause, useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { SearchSelect } from "../../components/search-select.tsx";
import { SENSORS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { SensorForm } from "../../domain/device/SensorForm.tsx";
import { NEW_SENSOR, NO_FARM, type SensorValues } from "../../domain/device/sensor-values.ts";
import { useSensorAdd } from "../../domain/device/use-sensor-add.ts";
import { FormPage } from "../../domain/form/form-page.tsx";
import { useFarmsOf, useGroundOf } from "./owner-choices.ts";

/** Owner of a sensor: the account's id, empty if none is selected, and the text in the field. */
interface ChosenOwner {
  readonly userId: string;
  readonly ownerText: string;
}

interface OwnerFieldProps extends ChosenOwner {
  error: string | undefined;
  onChange: (owner: ChosenOwner) => void;
}

/** Delay after typing before the search, ms. */
const TYPED_MS = 250;

const labelOf = ({ username, nickname }: Owner): string =>
  nickname && nickname !== username ? `${username} (${nickname})` : username;

/** Select the account that a sensor is registered for, by its name. */
function OwnerField({ userId, ownerText: text, error, onChange }: OwnerFieldProps) {
  const { t } = useTranslation("admin-sensor-add");
  const chosen = userId !== "";
  const { data, error: failure } = useRestQuery(
    ["owners", text.trim()],
    async (rest, signal) => {
      await pause(TYPED_MS, signal);
      return findOwners(rest, text.trim(), signal);
    },
    { enabled: !chosen },
  );
  // The suggestions for the previous letters stay until there are others.
  const found = useLastAnswer(data);
  const owners = failure === null ? (found ?? []) : [];
  /** Reason why the list has no suggestion for the text. */
  const lack =
    failure !== null
      ? t("ownersFailed")
      : !chosen && text.trim() !== "" && found !== null
        ? t(owners.length === 0 ? "ownersNone" : "ownerPick")
        : null;
  return (
    <SearchSelect
      label={t("owner")}
      hint={lack ?? t("ownerHint")}
      required
      error={error && (lack ?? error)}
      text={text}
      onText={(ownerText) => onChange({ userId: "", ownerText })}
      options={owners.map((owner) => ({ value: `${owner.id}`, label: labelOf(owner) }))}
      onPick={(id) => {
        const owner = owners.find((each) => `${each.id}` === id);
        if (owner) onChange({ userId: id, ownerText: labelOf(owner) });
      }}
    />
  );
}

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
    register: (rest, fields, { userId }, key) => addSensorFor(rest, userId, fields, key),
    listed: adminSensors,
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
