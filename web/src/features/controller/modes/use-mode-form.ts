import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnknownOutcome } from "../../../api/errors.ts";
import type { Mode } from "../../../api/modes.ts";
import { toaster } from "../../../components/toaster.tsx";
import { FormFailure } from "../../../domain/form/refusal.ts";
import { faultTexts, useForm } from "../../../domain/form/use-form.ts";
import type { UnitChannel, ValveUnit } from "../../../domain/valve/valve-units.ts";
import { useDrawnQuality, useServerNow, useServerTime } from "../../../live/hooks.ts";
import { useChannelWaterings } from "../panel-model.ts";
import {
  type ModeFacts,
  type ModeQuestion,
  questionBeforeOff,
  questionBeforeOn,
  questionBeforeReset,
  questionBeforeSave,
  waterOfAutomatic,
} from "./ModeDialog.tsx";
import {
  FIELDS_OF,
  faultsOf,
  formValuesOf,
  type ModeFault,
  type ModeField,
  type ModeValues,
  valuesOf,
} from "./mode-model.ts";
import { isDone, type ModePending, PENDING_MS } from "./mode-pending.ts";
import { useModeCalls, useSavingKind } from "./use-mode-calls.ts";

/** Form fields by their names in the farm API. */
const SERVER_FIELDS: Readonly<Record<string, ModeField>> = {
  lowerBound: "low",
  upperBound: "high",
  wateringDuration: "minutes",
  offDelayMinutes: "minutes",
  onTime: "time",
  wateringInterval: "interval",
  repeat: "repeat",
};

/** Faults that only the farm API can detect. */
const SERVER_FAULTS: Readonly<Partial<Record<ModeField, ModeFault>>> = {
  low: "boundRange",
  high: "boundRange",
  minutes: "minutesRange",
  time: "timeForm",
  interval: "intervalRange",
};

export interface ModeFormOptions {
  readonly unit: ValveUnit;
  readonly channel: UnitChannel;
  readonly mode: Mode;
  readonly closeValve: () => void;
}

/** Action of a button, run after any confirmation. */
type Act = "save" | "on" | "off" | "reset";

/**
 * Form of one mode of a channel: its values, the confirmation before an action, and the unconfirmed change.
 */
export function useModeForm({ unit, channel, mode, closeValve }: ModeFormOptions) {
  const { t } = useTranslation(["controller", "common"]);
  const now = useServerNow();
  const kind = useSavingKind(unit.form);
  const calls = useModeCalls(unit, channel);
  const { running, automaticEnd } = useChannelWaterings(channel.id);
  const { modes, onoff, moisture } = channel.value;
  const active = modes?.active ?? "none";
  const reported = useMemo(() => valuesOf(mode, modes), [mode, modes]);
  // An API that stores modes apart reports them: without a report it has not been read yet.
  const isReported = modes !== null || kind === "apart";
  const initial = useMemo(() => formValuesOf(mode, modes), [mode, modes]);
  const quality = useDrawnQuality(channel.value);
  const [savedOff, setSavedOff] = useState(false);
  const [pending, setPending] = useState<ModePending | null>(null);
  const [question, setQuestion] = useState<ModeQuestion | null>(null);
  /** Purpose of a save, between the click and the form's `submit`. */
  const wanted = useRef<{ act: "save" | "on"; closes: boolean }>({ act: "save", closes: false });

  /**
   * Wait for the channel's report after a call without an answer. Return false for a refusal, and for a
   * channel that reports no modes.
   */
  const waitForReport = (error: unknown, kind: ModePending["kind"], values: ModeValues | null): boolean => {
    if (!isUnknownOutcome(error) || !isReported) return false;
    setPending({ kind, mode, values, since: now(), unsure: true });
    return true;
  };
  const sentence = (fault: ModeFault) => t(`mode.fault.${fault}`);
  const form = useForm<ModeValues>({
    values: initial,
    draft: `mode ${channel.id} ${mode}`,
    failed: t("mode.failed"),
    rules: (values) => faultTexts(faultsOf(mode, values), sentence),
    serverFields: SERVER_FIELDS,
    serverTexts(name) {
      const field = SERVER_FIELDS[name];
      const fault = field && SERVER_FAULTS[field];
      return fault && sentence(fault);
    },
    async submit(values) {
      if (kind === null) return;
      const { act, closes } = wanted.current;
      change.reset();
      const turnsOn = kind !== "apart" || act === "on";
      const wait = (error: unknown): boolean => waitForReport(error, turnsOn ? "on" : "save", values);
      try {
        await calls.save(mode, kind, reported, values);
      } catch (error) {
        if (wait(error)) return;
        throw error;
      }
      if (kind === "apart" && act === "on") {
        try {
          await calls.charge(mode);
        } catch (error) {
          if (wait(error)) return;
          throw new FormFailure(`${t("mode.savedOnly")} ${calls.reasonTexts(error)}`);
        }
      }
      if (!isReported) toaster.create({ type: "info", title: t("mode.sentUnknown") });
      else setPending({ kind: turnsOn ? "on" : "save", mode, values, since: now(), unsure: false });
      if (closes) closeValve();
      if (turnsOn) return;
      setSavedOff(active !== mode);
      toaster.create({ type: "success", title: t(active === mode ? "mode.saved" : "mode.savedOff") });
    },
  });

  const newest = useRef(initial);
  useEffect(() => {
    newest.current = initial;
  });

  const done = pending !== null && isDone(pending, modes);
  useEffect(() => {
    if (!done) return;
    setPending(null);
    // A change that was only saved was reported when the farm API answered; an activation is done once the
    // channel reports it.
    if (pending.kind === "save") return;
    const what = pending.kind === "on" && pending.values !== null ? "savedOn" : pending.kind;
    toaster.create({ type: "success", title: t(`mode.done.${what}`, { mode: t(`common:mode.${mode}`) }) });
  }, [done, pending, mode, t]);
  const overdue = useServerTime((at) => pending !== null && at - pending.since > PENDING_MS);

  const facts = (): ModeFacts => ({
    mode,
    kind: kind ?? "apart",
    active,
    // Also saved: what the farm API took from here, and the channel has not reported yet.
    unsaved: form.changed || form.values.minutes === "",
    running: onoff === 1 && running ? running.cause : null,
    water:
      mode === "automatic"
        ? waterOfAutomatic(form.values, {
            kind: kind ?? "apart",
            quality,
            onoff,
            moisture,
            automaticEnd,
            now: now(),
          })
        : null,
  });
  const isFaulty = () => Object.keys(faultsOf(mode, form.values)).length > 0;

  const save = (act: "save" | "on", closes: boolean) => {
    wanted.current = { act, closes };
    form.submit();
  };
  const change = useMutation({
    async mutationFn({ what, closes }: { what: "on" | "off" | "reset"; closes: boolean }) {
      const clears = what === "reset" || (what === "off" && kind !== "apart");
      if (what === "on") {
        try {
          await calls.charge(mode);
        } catch (error) {
          if (!waitForReport(error, "on", null)) throw error;
          setQuestion(null);
          return;
        }
      } else {
        // Stored at once, whatever the line does: the dialog has nothing left to wait for.
        setQuestion(null);
        if (closes) closeValve();
        if (!(await calls.switchOff(mode, clears ? "reset" : "charge"))) return;
      }
      if (clears) {
        // Discard unsaved values. Reported ones disappear when the channel reports the reset, perhaps before
        // the answer.
        for (const field of FIELDS_OF[mode]) form.set(field, newest.current[field]);
      }
      if (!isReported) toaster.create({ type: "info", title: t("mode.sentUnknown") });
      else {
        const pending = clears ? "reset" : what;
        setPending({ kind: pending, mode, values: null, since: now(), unsure: false });
      }
      if (what !== "on") return;
      if (closes) closeValve();
      setQuestion(null);
    },
  });
  /** Run an action, and save first if the form has unsaved values. */
  const act = (what: Act, closes: boolean): void => {
    const savesFirst = what === "save" || (what === "on" && (kind !== "apart" || facts().unsaved));
    if (savesFirst) {
      setQuestion(null);
      save(what === "on" ? "on" : "save", closes);
    } else change.mutate({ what, closes });
  };
  const askOr = (asked: ModeQuestion | null, what: Act): void => {
    change.reset();
    if (asked) setQuestion(asked);
    else act(what, false);
  };
  const turnOn = () => {
    // A form with faults shows them before any confirmation.
    if (facts().unsaved && isFaulty()) save("on", false);
    else askOr(questionBeforeOn(facts()), "on");
  };
  return {
    form,
    /** Null while it is unknown: all buttons are disabled. */
    kind,
    /** Change that the farm API accepted but the channel has not reported; `overdue` if that takes long. */
    pending: pending === null || done ? null : { kind: pending.kind, overdue, unsure: pending.unsure },
    question,
    /** True while an action outside the form is under way. */
    busy: change.isPending,
    /** Translated reason of a failure. */
    failure: change.error && calls.reasonTexts(change.error),
    /** True if the mode was saved here and is not active. */
    savedOff: savedOff && modes !== null && active !== mode && !form.changed,
    /** Save. If saving activates the mode, first confirm that this ends another mode. */
    save: () => {
      if (isFaulty()) save("save", false);
      else if (kind === "apart") askOr(questionBeforeSave(facts()), "save");
      else turnOn();
    },
    turnOn,
    turnOff: () => askOr(questionBeforeOff(facts()), "off"),
    reset: () => setQuestion(questionBeforeReset(facts())),
    answer: (closes: boolean) => {
      if (question) act(question.kind, closes);
    },
    dismiss: () => setQuestion(null),
  };
}
