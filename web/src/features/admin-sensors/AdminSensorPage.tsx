import { Box } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import {
  deleteAnySensor,
  fetchAnySensor,
  type OwnedSensor,
  updateAnySensor,
} from "../../api/admin-sensors.ts";
import { useErrorTexts } from "../../api/error-texts.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { TextField } from "../../components/field.tsx";
import { deleteAction, OverflowMenu } from "../../components/menu.tsx";
import { SENSORS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { SensorDeletion, SensorForm, SensorPhoto } from "../../domain/device/SensorForm.tsx";
import { useSensorEdit } from "../../domain/device/use-sensor-edit.ts";
import { useSensorLabels } from "../../domain/device/use-sensor-texts.ts";
import { FormPage, FormPageEmpty, FormPageLoading } from "../../domain/form/form-page.tsx";
import { ReadAsButton } from "../../domain/view-as/ReadAsButton.tsx";
import { useFarmsOf, useGroundOf } from "./owner-choices.ts";

/** One sensor of any account, `?id=`. */
export function AdminSensorPage() {
  const [params] = useSearchParams();
  const id = params.get("id");
  return id ? <LoadedSensor key={id} id={id} /> : <Navigate to={SENSORS_PATH} replace />;
}

function LoadedSensor({ id }: { id: string }) {
  const { t } = useTranslation("admin-sensor");
  const errorTexts = useErrorTexts();
  const returnTo = useReturn(SENSORS_PATH);
  const { data, error, refetch } = useRestQuery(["sensor", id], async (rest, signal) => ({
    sensor: await fetchAnySensor(rest, id, signal),
  }));
  const again = () => void refetch();
  if (data === null) {
    if (error === null) return <FormPageLoading />;
    return <ErrorNote retry={again}>{errorTexts(error)}</ErrorNote>;
  }
  if (data.sensor) return <AdminSensorForm sensor={data.sensor} returnTo={returnTo} reload={again} />;
  return <FormPageEmpty title={t("gone")} to={returnTo} toList={t("toList")} />;
}

interface AdminSensorFormProps {
  sensor: OwnedSensor;
  returnTo: string;
  reload: () => void;
}

/** Edit a sensor of any account, including its serial. */
function AdminSensorForm({ sensor, returnTo, reload }: AdminSensorFormProps) {
  const { t } = useTranslation(["admin-sensor", "common", "devices"]);
  const crops = useExtension("admin-crops");
  const { id, stored, form, deletion } = useSensorEdit({
    sensor,
    returnTo,
    mode: "correct",
    crops,
    update: (rest, _id, fields, version) => updateAnySensor(rest, fields, version),
    reload,
    remove: deleteAnySensor,
  });
  const labels = useSensorLabels();
  const known = sensor.clusters ?? [];
  const ownerId = sensor.userId === null || sensor.userId === undefined ? null : `${sensor.userId}`;
  const farms = useFarmsOf(
    ownerId,
    form.values.clusterId,
    known.map(({ id: farm, name }) => ({ id: `${farm}`, name: name ?? `${farm}` })),
  );
  const name = deviceName(sensor);
  const owner = sensor.username ?? "";
  const ground = useGroundOf(ownerId, owner);
  return (
    <>
      <FormPage
        form={form}
        labels={labels}
        returnTo={returnTo}
        title={t("title")}
        note={owner === "" ? name : t("of", { name, owner })}
        actions={
          <>
            {ownerId !== null && <ReadAsButton account={{ id: ownerId, name: owner || ownerId }} />}
            <OverflowMenu
              label={t("devices:edit.more")}
              actions={[deleteAction(t("devices:delete.action"), () => deletion.ask(id))]}
            />
          </>
        }
        submit={t("common:action.save")}
        settled={deletion.isSettled}
      >
        <SensorForm mode="correct" form={form} before={stored} farms={farms} ground={ground} crops={crops}>
          <SensorPhoto sensor={sensor} form={form} />
          {/* A UUID is read, and compared, as a whole. */}
          <Box css={{ "[data-surface=phone] & input": { fontSize: "caption" } }}>
            <TextField label={t("id")} name="id" value={id} readOnly />
          </Box>
        </SensorForm>
      </FormPage>
      <SensorDeletion name={[name, sensor.serial, owner].filter(Boolean).join(" · ")} deletion={deletion} />
    </>
  );
}
