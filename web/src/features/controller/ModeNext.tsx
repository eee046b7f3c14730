import { Button } from "@chakra-ui/react";
import { automaticNext } from "@mulkko/shared/rules/automatic-mode";
import { formatMoisture } from "@mulkko/shared/rules/format";
import { useEffect, useState } from "react";
import type { NextWatering } from "../../farm/next-watering.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useDrawnQuality, useIsLive, useServerTime } from "../../live/hooks.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { useReadOnly } from "../../rest/hooks.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { ModeDialog } from "./ModeDialog.tsx";
import { type ModeQuestion, questionBeforeOff } from "./mode-question.ts";
import { useChannelWaterings } from "./use-channel-waterings.ts";
import { useModeCalls, useSavingKind } from "./use-mode-calls.ts";

/** How long after a close by hand the panel offers to switch automatic off, ms. */
const OFFERED_MS = 60 * 60_000;
/** Steps in which a pause is looked at, ms. */
const STEP_MS = 5_000;

export interface ModeNextProps {
  box: ValveBox;
  channel: BoxChannel;
  /** By the plan of the next 24 hours; undefined where nothing is known. */
  next: NextWatering | undefined;
}

/**
 * Say what the mode in charge of a closed valve does next (MODE-2). After a close by hand the automatic mode may open
 * again: that is said with a button that switches it off.
 */
export function ModeNext({ box, channel, next }: ModeNextProps) {
  const { t } = useTranslation(["controller", "common"]);
  const sentence = useNextWords({ box, channel, next });
  const { last } = useChannelWaterings(channel.id);
  const { modes, onoff } = channel.value;
  const automatic = modes?.active === "automatic";
  const closedAt = last?.endReason === "closed" && last.end !== null ? Date.parse(last.end) : null;
  const byHand = useServerTime((now) => closedAt !== null && now - closedAt < OFFERED_MS);
  const off = useAutomaticOff({ box, channel });
  if (off.pending && automatic) return <p className="panel__next">{t("mode.pending.off")}</p>;
  if (onoff === 1 || sentence === null) return null;
  return (
    <div className="panel__next">
      <p>{sentence}</p>
      {automatic && byHand && (
        <Button size="sm" variant="outline" disabled={off.blocked} loading={off.busy} onClick={off.ask}>
          {t("next.off")}
        </Button>
      )}
      {off.failure !== null && off.question === null && <ErrorNote>{off.failure}</ErrorNote>}
      <ModeDialog
        question={off.question}
        busy={off.busy}
        error={off.failure}
        onConfirm={off.confirm}
        onClose={off.dismiss}
      />
    </div>
  );
}

/** The next watering of a channel, in words; null where no mode is in charge or nothing is known. */
function useNextWords({ box, channel, next }: ModeNextProps): string | null {
  const { t } = useTranslation(["controller", "common"]);
  const words = useTimeWords();
  const kind = useSavingKind(box.form);
  const { automaticEnd } = useChannelWaterings(channel.id);
  const quality = useDrawnQuality(channel.value);
  const step = useServerTime((now) => Math.floor(now / STEP_MS));
  const today = useServerTime((now) => words.isoDay(now));
  const { modes, moisture } = channel.value;
  const active = modes?.active ?? "none";
  if (modes === null || active === "none") return null;
  const lack = modes.incomplete ?? (next?.kind === "lacks" ? next.lack : null);
  if (lack !== null) return t(`common:lacks.${lack}`);
  if (active !== "automatic") {
    if (next?.kind !== "at" || next.start < step * STEP_MS) return null;
    const time = words.time(next.start);
    return t(words.isoDay(next.start) === today ? "next.at" : "next.atTomorrow", { time });
  }
  const on = t("next.automaticOn");
  if (modes.automatic === null || (quality !== "fresh" && quality !== "late")) return on;
  // A controller of a foreign farm API executes its modes by rules of its own.
  if (kind !== "apart") return `${on} ${t("next.byController")}`;
  const coming = automaticNext(modes.automatic, moisture, automaticEnd, step * STEP_MS);
  switch (coming.kind) {
    case "opens":
      return `${on} ${t("next.opens", { moisture: formatMoisture(moisture) })}`;
    case "opens-after":
      return `${on} ${t("next.opensAfter", { time: words.time(coming.at) })}`;
    case "waits":
      return coming.notBefore === null
        ? `${on} ${t("next.waits", { below: coming.below })}`
        : `${on} ${t("next.waitsAfter", { below: coming.below, time: words.time(coming.notBefore) })}`;
    case "unknown":
      return on;
  }
}

/** Switch the automatic mode off, after a question where that clears its values. */
function useAutomaticOff({ box, channel }: Pick<ModeNextProps, "box" | "channel">) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const live = useIsLive();
  const readOnly = useReadOnly();
  const kind = useSavingKind(box.form);
  const calls = useModeCalls(box, channel);
  const [question, setQuestion] = useState<ModeQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const automatic = channel.value.modes?.active === "automatic";
  const done = pending && !automatic;
  useEffect(() => {
    if (!done) return;
    setPending(false);
    toaster.create({ type: "success", title: t("mode.done.off", { mode: t("common:mode.automatic") }) });
  }, [done, t]);

  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      if (kind === "apart") await calls.charge("none");
      else await calls.reset("automatic");
      setPending(true);
      setQuestion(null);
    } catch (error) {
      const why = error instanceof FormFailure ? error.message : labels.error(errorReason(error));
      setFailure(`${t("mode.failed")} ${why}`);
    } finally {
      setBusy(false);
    }
  };
  return {
    question,
    busy,
    pending,
    failure,
    blocked: !live || readOnly || kind === null,
    ask() {
      if (kind === null) return;
      setFailure(null);
      const asked = questionBeforeOff({ mode: "automatic", kind, running: null });
      if (asked === null) void run();
      else setQuestion(asked);
    },
    confirm: () => void run(),
    dismiss: () => setQuestion(null),
  };
}
