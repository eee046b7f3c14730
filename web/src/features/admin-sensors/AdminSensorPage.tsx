import { Button } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { SENSORS_PATH, useReturn } from "../../admin/use-return.ts";
import { FormPageLoading } from "../../form/form-page-loading.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { fetchAnySensor, type OwnedSensor } from "../../rest/admin-sensors.ts";
import { type CallFailure, callFailure } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { useFailureWords } from "../../ui/feedback/use-error-words.ts";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { AdminSensorForm } from "./AdminSensorForm.tsx";

type Loaded =
  | { readonly state: "loading" }
  | ({ readonly state: "failed" } & CallFailure)
  | { readonly state: "there"; readonly sensor: OwnedSensor | null };

/** One sensor of any account, `?id=`. */
export function AdminSensorPage() {
  const [params] = useSearchParams();
  const id = params.get("id");
  return id ? <LoadedSensor key={id} id={id} /> : <Navigate to={SENSORS_PATH} replace />;
}

function LoadedSensor({ id }: { id: string }) {
  const { t } = useTranslation(["admin-sensor", "common"]);
  const failureWords = useFailureWords();
  const { client } = useRest();
  const returnTo = useReturn(SENSORS_PATH);
  const [asked, setAsked] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the requests for the sensor
  useEffect(() => {
    const abort = new AbortController();
    fetchAnySensor(client, id, abort.signal).then(
      (sensor) => setLoaded({ state: "there", sensor }),
      (error: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", ...callFailure(error) });
      },
    );
    return () => abort.abort();
  }, [client, id, asked]);
  const again = () => setAsked((count) => count + 1);
  switch (loaded.state) {
    case "loading":
      return <FormPageLoading />;
    case "failed":
      return (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={again}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {failureWords(loaded)}
        </ErrorNote>
      );
    case "there":
      return loaded.sensor ? (
        <AdminSensorForm sensor={loaded.sensor} returnTo={returnTo} reload={again} />
      ) : (
        <EmptyState
          scene={<EmptyField />}
          title={t("gone")}
          action={<Link to={returnTo}>{t("toList")}</Link>}
        />
      );
  }
}
