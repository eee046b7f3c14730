import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { fetchAnySensor } from "../../api/admin-sensors.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { FormPageEmpty, FormPageLoading } from "../../components/form/form-page.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { SENSORS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { AdminSensorForm } from "./AdminSensorForm.tsx";

/** One sensor of any account, `?id=`. */
export function AdminSensorPage() {
  const [params] = useSearchParams();
  const id = params.get("id");
  return id ? <LoadedSensor key={id} id={id} /> : <Navigate to={SENSORS_PATH} replace />;
}

function LoadedSensor({ id }: { id: string }) {
  const { t } = useTranslation("admin-sensor");
  const errorWords = useErrorWords();
  const returnTo = useReturn(SENSORS_PATH);
  const { data, error, refetch } = useRestQuery(["sensor", id], async (rest, signal) => ({
    sensor: await fetchAnySensor(rest, id, signal),
  }));
  const again = () => void refetch();
  if (data === null) {
    if (error === null) return <FormPageLoading />;
    return <ErrorNote retry={again}>{errorWords(error)}</ErrorNote>;
  }
  if (data.sensor) return <AdminSensorForm sensor={data.sensor} returnTo={returnTo} reload={again} />;
  return <FormPageEmpty title={t("gone")} to={returnTo} toList={t("toList")} />;
}
