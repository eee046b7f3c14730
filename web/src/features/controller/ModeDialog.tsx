import { formatMoisture } from "@mulkko/shared/rules/format";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField } from "../../components/choice.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import type { ModeQuestion, StartsWater } from "./mode-question.ts";

export interface ModeDialogProps {
  /** Null while the dialog is closed. */
  question: ModeQuestion | null;
  busy: boolean;
  error: string | null;
  /** @param closes true to close the valve as well */
  onConfirm: (closes: boolean) => void;
  onClose: () => void;
}

/** Confirm that a mode is activated, deactivated or cleared, and list the effects. */
export function ModeDialog({ question, busy, error, onConfirm, onClose }: ModeDialogProps) {
  const { t } = useTranslation(["controller", "common"]);
  const words = useTimeWords();
  const [closes, setCloses] = useState(true);
  useEffect(() => {
    if (question) setCloses(true);
  }, [question]);
  if (!question) return null;
  const name = t(`common:mode.${question.mode}`);
  const describeWater = (water: StartsWater): string =>
    water.kind === "after"
      ? t("mode.ask.waterAfter", { moisture: formatMoisture(water.moisture), time: words.time(water.at) })
      : t(`mode.ask.${water.sure ? "water" : "mayWater"}.${question.kind === "save" ? "save" : "on"}`, {
          moisture: formatMoisture(water.moisture),
        });
  const replaced = question.kind === "on" ? question.replaces : null;
  const title =
    replaced !== null
      ? t("mode.ask.switch", { from: t(`common:mode.${replaced}`), to: name })
      : t(`mode.ask.${question.kind}`, { mode: name });
  const sentences: string[] = [];
  if (question.kind === "on" && question.saves) sentences.push(t("mode.ask.saves"));
  if (question.kind === "on" && question.clears && replaced !== null)
    sentences.push(t("mode.ask.clearsOther", { from: t(`common:mode.${replaced}`) }));
  if (question.kind === "off" || question.kind === "reset") {
    sentences.push(t(question.clears ? "mode.ask.clears" : "mode.ask.keeps"));
  }
  return (
    <ConfirmDialog
      open
      title={title}
      body={
        <>
          {"water" in question && question.water !== null && (
            <p>
              <strong>{describeWater(question.water)}</strong>
            </p>
          )}
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {question.running && (
            <CheckField
              label={t("mode.ask.closes")}
              hint={t("mode.ask.running")}
              checked={closes}
              onChange={setCloses}
            />
          )}
        </>
      }
      confirmLabel={t(`mode.ask.confirm.${question.kind}`)}
      danger={question.kind === "reset" || (question.kind === "off" && question.clears)}
      busy={busy}
      error={error}
      onConfirm={() => onConfirm(question.running && closes)}
      onClose={onClose}
    />
  );
}
