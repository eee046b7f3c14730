import type { Watering } from "@mulkko/shared/live/watering";
import { automaticNext } from "@mulkko/shared/rules/automatic-mode";
import { formatMoisture } from "@mulkko/shared/rules/format";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ActiveMode, ValveCode } from "@mulkko/shared/rules/valve";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mode } from "../../../api/modes.ts";
import { CheckField } from "../../../components/choice.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { useTimeTexts } from "../../../domain/time/use-time-texts.ts";
import { automaticOf, type ModeValues, type SavingKind } from "./mode-model.ts";

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
  const texts = useTimeTexts();
  const [closes, setCloses] = useState(true);
  useEffect(() => {
    if (question) setCloses(true);
  }, [question]);
  if (!question) return null;
  const name = t(`common:mode.${question.mode}`);
  const describeWater = (water: StartsWater): string =>
    water.kind === "after"
      ? t("mode.ask.waterAfter", { moisture: formatMoisture(water.moisture), time: texts.time(water.at) })
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

/**
 * Confirmation before a mode is activated or deactivated. Each field that is set has a sentence of its own in
 * the dialog.
 */
export type ModeQuestion =
  | {
      readonly kind: "on";
      readonly mode: Mode;
      /** Mode that this deactivates. */
      readonly replaces: Mode | null;
      /** True if the values of the deactivated mode may be cleared. */
      readonly clears: boolean;
      /** True if the form's values are saved with it. */
      readonly saves: boolean;
      /** True if water started by the other mode runs now. */
      readonly running: boolean;
      /** First step of the mode once it is active, if that starts water. */
      readonly water: StartsWater | null;
    }
  /** The saved values of the active mode start water. */
  | {
      readonly kind: "save";
      readonly mode: Mode;
      readonly running: false;
      readonly water: StartsWater;
    }
  | {
      readonly kind: "off" | "reset";
      readonly mode: Mode;
      /** True if its values are cleared. */
      readonly clears: boolean;
      /** True if water started by this mode runs now. */
      readonly running: boolean;
    };

/** Water that an action starts: at once, or after the pause of the automatic mode (ms UTC). */
type StartsWater =
  | {
      readonly kind: "at-once";
      /** % */
      readonly moisture: number;
      /** False if a controller runs the mode by its own rules, or may not receive it. */
      readonly sure: boolean;
    }
  | { readonly kind: "after"; readonly moisture: number; readonly at: number };

/** Facts that decide if the automatic mode opens. */
export interface WaterFacts {
  readonly kind: SavingKind;
  /** Displayed quality of the channel. */
  readonly quality: DrawnQuality | null;
  readonly onoff: ValveCode;
  /** % */
  readonly moisture: number | null;
  /** End of its newest run, ms UTC. */
  readonly automaticEnd: number | null;
  /** ms UTC */
  readonly now: number;
}

/**
 * Return the water that automatic with these values starts (MODE-1); null if it starts none, or water runs
 * already.
 */
export function waterOfAutomatic(values: ModeValues, facts: WaterFacts): StartsWater | null {
  const { kind, quality, onoff, moisture, automaticEnd, now } = facts;
  const setting = automaticOf(values);
  if (onoff === 1 || moisture === null || setting === null) return null;
  if (kind !== "apart") {
    const bound = setting.lowerBound ?? setting.upperBound;
    return bound !== null && moisture < bound ? { kind: "at-once", moisture, sure: false } : null;
  }
  const next = automaticNext(setting, moisture, automaticEnd, now);
  if (next.kind === "opens-after") return { kind: "after", moisture, at: next.at };
  return next.kind === "opens" ? { kind: "at-once", moisture, sure: quality === "fresh" } : null;
}

/** Facts known when the user clicks. */
export interface ModeFacts {
  readonly mode: Mode;
  readonly kind: SavingKind;
  readonly active: ActiveMode;
  /** True if the form differs from the channel's report, or nothing is stored yet. */
  readonly unsaved: boolean;
  /** Cause of the water that runs now. */
  readonly running: Watering["cause"] | null;
  /** First step of the mode with the form's values once it is active. */
  readonly water: StartsWater | null;
}

/** Return the confirmation before the mode is activated; null if none is needed. */
export function questionBeforeOn(facts: ModeFacts): ModeQuestion | null {
  const { mode, kind, active, unsaved, running, water } = facts;
  const replaces = active === "none" || active === mode ? null : active;
  // If saving activates the mode, the button says that it saves.
  const saves = kind === "apart" && unsaved;
  if (replaces === null && !saves && water === null) return null;
  return {
    kind: "on",
    mode,
    replaces,
    clears: replaces !== null && kind !== "apart",
    saves,
    running: replaces !== null && running === replaces,
    water,
  };
}

/** Return the confirmation before other values of the active mode are saved; null if they start no water. */
export function questionBeforeSave({ mode, active, water }: ModeFacts): ModeQuestion | null {
  return active === mode && water?.kind === "at-once" ? { kind: "save", mode, running: false, water } : null;
}

/**
 * Return the confirmation before the mode is deactivated. Without the extension that is a reset, which clears
 * its values.
 */
export function questionBeforeOff({
  mode,
  kind,
  running,
}: Pick<ModeFacts, "mode" | "kind" | "running">): ModeQuestion | null {
  const clears = kind !== "apart";
  const isRunning = running === mode;
  return clears || isRunning ? { kind: "off", mode, clears, running: isRunning } : null;
}

/** Return the confirmation before a reset. It is always needed, as a reset cannot be undone. */
export function questionBeforeReset({ mode, running }: ModeFacts): ModeQuestion {
  return { kind: "reset", mode, clears: true, running: running === mode };
}
