import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { FormPageEmpty, FormPageLoading } from "../../components/form/form-page.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { useIsLive, useLive } from "../../live/hooks.ts";
import { SensorEditForm } from "./SensorEditForm.tsx";

/** Form of the sensor in `?id=`. @param returnTo the list from which it was opened */
export function SensorEditPage({ returnTo }: { returnTo: string }) {
  const [params] = useSearchParams();
  const id = params.get("id");
  if (!id) return <Navigate to={returnTo} replace />;
  return <EditedSensor key={id} id={id} returnTo={returnTo} />;
}

function EditedSensor({ id, returnTo }: { id: string; returnTo: string }) {
  const { t } = useTranslation("sensor-edit");
  const isLive = useIsLive();
  const info = useLive("sensor", id)?.info;
  // A sensor that is deleted during editing stays readable.
  const [last, setLast] = useState<SensorInfo | null>(info ?? null);
  useEffect(() => {
    if (info) setLast(info);
  }, [info]);
  const shown = info ?? last;
  if (shown) {
    return <SensorEditForm info={shown} isGone={info === undefined && isLive} returnTo={returnTo} />;
  }
  return (
    <UntilKnown loading={<FormPageLoading />}>
      <FormPageEmpty title={t("gone")} to={returnTo} toList={t("toList")} />
    </UntilKnown>
  );
}

/** One form at three addresses, each with its own page to return to. */
export const SensorsEditPage = () => <SensorEditPage returnTo="/sensors" />;
export const IrrigationEditPage = () => <SensorEditPage returnTo="/irrigation" />;
export const MapsEditPage = () => <SensorEditPage returnTo="/maps" />;
