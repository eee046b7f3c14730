import { Button, Flex } from "@chakra-ui/react";
import { modesOn } from "@mulkko/shared/entities/modes";
import { automaticNext } from "@mulkko/shared/rules/automatic-mode";
import { formatMoisture } from "@mulkko/shared/rules/format";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../../../api/hooks.ts";
import { ErrorNote } from "../../../components/alerts.tsx";
import { toaster } from "../../../components/toaster.tsx";
import { useTimeTexts } from "../../../domain/time/use-time-texts.ts";
import { RememberedNote } from "../../../domain/valve/remembered-note.tsx";
import { useOutbox, useStoredOff } from "../../../domain/valve/use-outbox.ts";
import type { UnitChannel, ValveUnit } from "../../../domain/valve/valve-units.ts";
import { usePreview } from "../../../domain/watering/use-preview.ts";
import { useDrawnQuality, useServerTime } from "../../../live/hooks.ts";
import { useChannelWaterings } from "../panel-model.ts";
import { ModeDialog, type ModeQuestion, questionBeforeOff } from "./ModeDialog.tsx";
import { useModeCalls, useSavingKind } from "./use-mode-calls.ts";

/** Milliseconds after a manual close during which the panel offers to switch automatic off. */
const OFFERED_MS = 60 * 60_000;
/** Interval at which the pause is evaluated, ms. */
const STEP_MS = 5_000;

const NEXT = {
  wrap: "wrap",
  align: "center",
  rowGap: "2",
  columnGap: "3",
  mb: "4",
  "data-testid": "next-watering",
} as const;

interface ModeNextProps {
  unit: ValveUnit;
  channel: UnitChannel;
}

/**
 * Describe what the active mode of a closed valve does next (MODE-2). After a manual close the automatic mode
 * may open the valve again. The text then has a button that switches the mode off.
 */
export function ModeNext({ unit, channel }: ModeNextProps) {
  const { t } = useTranslation(["controller", "common"]);
  const sentence = useNextTexts({ unit, channel });
  const { last } = useChannelWaterings(channel.id);
  const { modes, onoff } = channel.value;
  const automatic = modes?.active === "automatic";
  const closedAt = last?.endReason === "closed" && last.end !== null ? Date.parse(last.end) : null;
  const byHand = useServerTime((now) => closedAt !== null && now - closedAt < OFFERED_MS);
  const off = useAutomaticOff({ unit, channel });
  const outbox = useOutbox();
  const waiting = useStoredOff(channel.id, "automatic");
  if (waiting) {
    return (
      <Flex {...NEXT}>
        <RememberedNote entry={waiting} onTakeBack={() => outbox.takeBack(waiting.id)} />
      </Flex>
    );
  }
  if (off.pending && automatic) {
    return (
      <Flex as="p" {...NEXT}>
        {t("mode.pending.off")}
      </Flex>
    );
  }
  if (onoff === 1 || sentence === null) return null;
  return (
    <Flex {...NEXT}>
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
    </Flex>
  );
}

/** Describe the next watering of a channel; null without an active mode or if unknown. */
function useNextTexts({ unit, channel }: ModeNextProps): string | null {
  const { t } = useTranslation(["controller", "common"]);
  const texts = useTimeTexts();
  const next = usePreview().next.get(channel.id);
  const kind = useSavingKind(unit.form);
  const { automaticEnd } = useChannelWaterings(channel.id);
  const quality = useDrawnQuality(channel.value);
  const step = useServerTime((now) => Math.floor(now / STEP_MS));
  const today = useServerTime((now) => texts.isoDay(now));
  const { modes, moisture } = channel.value;
  const active = modes?.active ?? "none";
  if (modes === null || active === "none") return null;
  // With several active modes the one that waters, or lacks something, is unknown.
  if ((modesOn(modes)?.length ?? 0) > 1) return null;
  const lack = modes.incomplete ?? (next?.kind === "lacks" ? next.lack : null);
  if (lack !== null) return t(`common:lacks.${lack}`);
  if (active !== "automatic") {
    if (next?.kind !== "at" || next.start < step * STEP_MS) return null;
    const time = texts.time(next.start);
    return t(texts.isoDay(next.start) === today ? "next.at" : "next.atTomorrow", { time });
  }
  const on = t("next.automaticOn");
  if (modes.automatic === null || (quality !== "fresh" && quality !== "late")) return on;
  // Controllers of a foreign farm API run their modes by their own rules.
  if (kind !== "apart") return `${on} ${t("next.byController")}`;
  const coming = automaticNext(modes.automatic, moisture, automaticEnd, step * STEP_MS);
  switch (coming.kind) {
    case "opens":
      return `${on} ${t("next.opens", { moisture: formatMoisture(moisture) })}`;
    case "opens-after":
      return `${on} ${t("next.opensAfter", { time: texts.time(coming.at) })}`;
    case "waits":
      return coming.notBefore === null
        ? `${on} ${t("next.waits", { below: coming.below })}`
        : `${on} ${t("next.waitsAfter", { below: coming.below, time: texts.time(coming.notBefore) })}`;
    case "unknown":
      return on;
  }
}

/** Switch the automatic mode off, after a confirmation if that clears its values. */
function useAutomaticOff({ unit, channel }: ModeNextProps) {
  const { t } = useTranslation(["controller", "common"]);
  const readOnly = useReadOnly();
  const kind = useSavingKind(unit.form);
  const calls = useModeCalls(unit, channel);
  const [question, setQuestion] = useState<ModeQuestion | null>(null);
  const [pending, setPending] = useState(false);
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: () => {
      setQuestion(null);
      return calls.switchOff("automatic", kind === "apart" ? "charge" : "reset");
    },
    onSuccess: (sent) => setPending(sent),
  });
  const automatic = channel.value.modes?.active === "automatic";
  const done = pending && !automatic;
  useEffect(() => {
    if (!done) return;
    setPending(false);
    toaster.create({ type: "success", title: t("mode.done.off", { mode: t("common:mode.automatic") }) });
  }, [done, t]);

  return {
    question,
    busy: isPending,
    pending,
    failure: error && `${t("mode.failed")} ${calls.reasonTexts(error)}`,
    // Switching off opens nothing: it is stored until there is a line (CMD-8).
    blocked: readOnly || kind === null,
    ask() {
      if (kind === null) return;
      reset();
      const asked = questionBeforeOff({ mode: "automatic", kind, running: null });
      if (asked === null) mutate();
      else setQuestion(asked);
    },
    confirm: () => mutate(),
    dismiss: () => setQuestion(null),
  };
}
