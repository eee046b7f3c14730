import { useEffect, useMemo, useRef, useState } from "react";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useDrawnQuality, useServerNow, useServerTime } from "../../live/hooks.ts";
import { errorReason } from "../../rest/error-reason.ts";
import type { Mode } from "../../rest/modes.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { type FormControl, useForm } from "../../ui/form/use-form.ts";
import {
  FIELDS_OF,
  faultsOf,
  formValuesOf,
  type ModeFault,
  type ModeField,
  type ModeValues,
  type SavingKind,
  valuesOf,
} from "./mode-model.ts";
import { isDone, type ModePending, PENDING_MS } from "./mode-pending.ts";
import {
  type ModeFacts,
  type ModeQuestion,
  questionBeforeOff,
  questionBeforeOn,
  questionBeforeReset,
  questionBeforeSave,
  waterOfAutomatic,
} from "./mode-question.ts";
import { SERVER_FAULTS } from "./mode-refusal.ts";
import { useModeCalls } from "./use-mode-calls.ts";

export interface ModeFormControl {
  readonly form: FormControl<ModeValues>;
  /** Taken by the farm API and not reported yet; `overdue` once that takes long. */
  readonly pending: (Pick<ModePending, "kind"> & { readonly overdue: boolean }) | null;
  readonly question: ModeQuestion | null;
  /** It was saved here, and is not in charge. */
  readonly savedOff: boolean;
  /** A press beside the form is on its way. */
  readonly busy: boolean;
  /** Why it failed, in words. */
  readonly failure: string | null;
  /** Saves; where saving is enabling it asks first if that ends another mode. */
  save(): void;
  turnOn(): void;
  turnOff(): void;
  reset(): void;
  answer(closes: boolean): void;
  dismiss(): void;
}

export interface ModeFormParts {
  readonly box: ValveBox;
  readonly channel: BoxChannel;
  readonly mode: Mode;
  /** Null while it is not known: nothing may be pressed. */
  readonly kind: SavingKind | null;
  /** The mode whose water runs now. */
  readonly running: Mode | null;
  /** When the newest run of the automatic mode ended, ms UTC. */
  readonly automaticEnd: number | null;
  readonly closeValve: () => void;
}

/** What a press asks for, once everything has been answered. */
type Act = "save" | "on" | "off" | "reset";

/** One mode of a channel as a form: its values, what is asked before it acts, and what is not confirmed yet. */
export function useModeForm({
  box,
  channel,
  mode,
  kind,
  running,
  automaticEnd,
  closeValve,
}: ModeFormParts): ModeFormControl {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const now = useServerNow();
  const calls = useModeCalls(box, channel);
  const { modes } = channel.value;
  const active = modes?.active ?? "none";
  const reported = useMemo(() => valuesOf(mode, modes), [mode, modes]);
  const initial = useMemo(() => formValuesOf(mode, modes), [mode, modes]);
  const quality = useDrawnQuality(channel.value);
  const [savedOff, setSavedOff] = useState(false);
  const [pending, setPending] = useState<ModePending | null>(null);
  const [question, setQuestion] = useState<ModeQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** What a saving is for, between the press and the form's `submit`. */
  const wanted = useRef<{ act: "save" | "on"; closes: boolean }>({ act: "save", closes: false });

  const sentence = (fault: ModeFault) => t(`mode.fault.${fault}`);
  const form = useForm<ModeValues>({
    initial,
    draft: `mode ${channel.id} ${mode}`,
    rules(values) {
      const faults: Partial<Record<ModeField, string>> = {};
      const found = faultsOf(mode, values);
      for (const field of FIELDS_OF[mode]) {
        const fault = found[field];
        if (fault) faults[field] = sentence(fault);
      }
      return faults;
    },
    serverWords(field) {
      const fault = SERVER_FAULTS[field];
      return fault && sentence(fault);
    },
    async submit(values) {
      if (kind === null) return;
      const { act, closes } = wanted.current;
      setFailure(null);
      await calls.save(mode, kind, reported, values);
      const turnsOn = kind !== "apart" || act === "on";
      if (kind === "apart" && act === "on") {
        try {
          await calls.charge(mode);
        } catch (error) {
          throw new FormFailure(`${t("mode.savedOnly")} ${labels.error(errorReason(error))}`);
        }
      }
      setPending({ kind: turnsOn ? "on" : "save", mode, values, since: now() });
      if (closes) closeValve();
      if (turnsOn) return;
      setSavedOff(active !== mode);
      toaster.create({ type: "success", title: t(active === mode ? "mode.saved" : "mode.savedOff") });
    },
  });

  const follow = useRef(form.follow);
  const newest = useRef(initial);
  useEffect(() => {
    follow.current = form.follow;
    newest.current = initial;
  });
  useEffect(() => follow.current(initial), [initial]);

  const done = pending !== null && isDone(pending, modes);
  useEffect(() => {
    if (!done) return;
    setPending(null);
    // What was only saved was said when the farm API had it; what is in charge is so once the channel says so.
    if (pending.kind === "save") return;
    const what = pending.kind === "on" && pending.values !== null ? "savedOn" : pending.kind;
    toaster.create({ type: "success", title: t(`mode.done.${what}`, { mode: t(`common:mode.${mode}`) }) });
  }, [done, pending, mode, t]);
  const overdue = useServerTime((at) => pending !== null && at - pending.since > PENDING_MS);

  const facts = (): ModeFacts => ({
    mode,
    kind: kind ?? "apart",
    active,
    unsaved: form.changed || reported.minutes === "",
    running,
    water:
      mode === "automatic"
        ? waterOfAutomatic(form.values, {
            kind: kind ?? "apart",
            quality,
            onoff: channel.value.onoff,
            moisture: channel.value.moisture,
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
  const run = async (act: "on" | "off" | "reset", closes: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      if (act === "reset" || (act === "off" && kind !== "apart")) {
        await calls.reset(mode);
        // What was typed and not saved goes with it; what is reported goes when the channel says so, which may be
        // before the answer.
        for (const field of FIELDS_OF[mode]) form.set(field, newest.current[field]);
      } else {
        await calls.charge(act === "on" ? mode : "none");
      }
      const clears = act !== "on" && (act === "reset" || kind !== "apart");
      setPending({ kind: clears ? "reset" : act, mode, values: null, since: now() });
      if (closes) closeValve();
      setQuestion(null);
    } catch (error) {
      setFailure(error instanceof FormFailure ? error.message : labels.error(errorReason(error)));
    } finally {
      setBusy(false);
    }
  };
  /** Does it, or saves first where the form has more than the channel. */
  const act = (what: Act, closes: boolean): void => {
    const savesFirst = what === "save" || (what === "on" && (kind !== "apart" || facts().unsaved));
    if (!savesFirst) return void run(what, closes);
    setQuestion(null);
    save(what === "on" ? "on" : "save", closes);
  };
  const askOr = (asked: ModeQuestion | null, what: Act): void => {
    setFailure(null);
    if (asked) setQuestion(asked);
    else act(what, false);
  };
  const turnOn = () => {
    // A form with faults shows them: there is nothing to ask yet.
    if (facts().unsaved && isFaulty()) save("on", false);
    else askOr(questionBeforeOn(facts()), "on");
  };
  return {
    form,
    pending: pending === null || done ? null : { kind: pending.kind, overdue },
    question,
    busy,
    failure,
    savedOff: savedOff && active !== mode && !form.changed,
    save: () => {
      if (isFaulty()) save("save", false);
      else if (kind === "apart") askOr(questionBeforeSave(facts()), "save");
      else turnOn();
    },
    turnOn,
    turnOff: () => askOr(questionBeforeOff(facts()), "off"),
    reset: () => setQuestion(questionBeforeReset(facts())),
    answer: (closes) => {
      if (question) act(question.kind, closes);
    },
    dismiss: () => setQuestion(null),
  };
}
