import { Button } from "@chakra-ui/react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { UntilKnown } from "../../farm/UntilKnown.tsx";
import { FormPageLoading } from "../../form/form-page-loading.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ApiError } from "../../rest/errors.ts";
import { deleteFarm } from "../../rest/farms.ts";
import { useRest } from "../../rest/hooks.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { useErrorWords } from "../../ui/feedback/use-error-words.ts";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { ReturnLink } from "../../ui/layout/return-link.tsx";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { type KnownFarm, useKnownFarms } from "./use-known-farms.ts";
import "./farms.css";

/** Delete one farm after a confirmation; its devices stay. */
export function FarmDeletePage() {
  const { t } = useTranslation(["farms", "common"]);
  const errorWords = useErrorWords();
  const { client } = useRest();
  const farms = useKnownFarms();
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, setAsking] = useState<KnownFarm | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const farm = farms.find(({ id }) => id === chosen) ?? null;

  const remove = async ({ id }: KnownFarm): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await deleteFarm(client, id);
    } catch (error) {
      // Another user has deleted it already.
      if (!(error instanceof ApiError) || error.status !== 404) {
        setFailure(errorWords(error));
        return;
      }
    } finally {
      setBusy(false);
    }
    toaster.create({ type: "success", title: t("remove.done") });
    setAsking(null);
    setChosen(null);
  };
  if (farms.length === 0) {
    return (
      <UntilKnown loading={<FormPageLoading />}>
        <EmptyState
          scene={<EmptyField />}
          title={t("remove.none")}
          action={<Link to="/irrigation">{t("edit.toList")}</Link>}
        />
      </UntilKnown>
    );
  }
  return (
    <div className="farm-form">
      <PageHeading
        lead={<ReturnLink otherwise="/irrigation" />}
        title={t("remove.title")}
        note={t("remove.choose")}
      />
      <Card flush>
        <fieldset className="farm-choice">
          <legend className="visually-hidden">{t("remove.choose")}</legend>
          {farms.map(({ id, name, description, sensorIds }) => (
            <label key={id} className="farm-choice__row" data-testid="farm-choice">
              <input
                type="radio"
                name="farm"
                value={id}
                checked={id === chosen}
                onChange={() => setChosen(id)}
              />
              <span className="farm-choice__text">
                <span className="farm-choice__name">{name}</span>
                <span className="farm-choice__about">
                  {[t("remove.sensors", { count: sensorIds.length }), description]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      </Card>
      <div className="farm-form__actions">
        <Button
          size="lg"
          colorPalette="red"
          disabled={farm === null}
          onClick={() => {
            setFailure(null);
            setAsking(farm);
          }}
        >
          {t("common:action.delete")}
        </Button>
      </div>
      <ConfirmDialog
        open={asking !== null}
        title={t("remove.ask", { name: asking?.name ?? "" })}
        body={
          <p>
            {asking && asking.sensorIds.length > 0
              ? t("remove.keeps", { count: asking.sensorIds.length })
              : t("remove.keepsNone")}
          </p>
        }
        confirmLabel={t("common:action.delete")}
        danger
        busy={busy}
        error={failure === null ? null : `${t("remove.failed")} ${failure}`}
        onConfirm={() => asking && void remove(asking)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
