import { Button } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { toaster } from "../ui/feedback/toaster.tsx";
import { Card } from "../ui/layout/card.tsx";
import { ChannelChip } from "../ui/valve/channel-chip.tsx";
import { CommandStatus } from "../ui/valve/command-status.tsx";
import { ConfirmSlide } from "../ui/valve/confirm-slide.tsx";
import { RunTimeDialog } from "../ui/valve/run-time-dialog.tsx";
import { ValveSymbol } from "../ui/valve/valve-symbol.tsx";
import type { ValveView } from "../ui/valve/valve-view.ts";
import { valveWords } from "../ui/valve/valve-words.ts";

const views: readonly ValveView[] = [
  { kind: "closed", live: true },
  { kind: "open", live: true },
  { kind: "last", live: false, actual: "closed", why: "lost" },
  { kind: "last", live: false, actual: "open", why: "late" },
  { kind: "opening", live: true, actual: "closed" },
  { kind: "closing", live: true, actual: "open" },
  { kind: "mismatch", live: true, actual: "open", commanded: "closed" },
  { kind: "mismatch", live: true, actual: "closed", commanded: "open" },
  { kind: "mismatch", live: false, actual: null, commanded: "open" },
  { kind: "unknown", live: false },
];

const states = [
  "requested",
  "accepted",
  "confirmed",
  "refused",
  "unconfirmed",
  "failed",
  "superseded",
] as const;

/** Show valves in every state, and the steps of a command. */
export function ValveSection() {
  const { t } = useTranslation("common");
  const [selected, setSelected] = useState(0);
  const [asking, setAsking] = useState(new URLSearchParams(location.search).has("dialog"));
  const letters = [t("mode.letter.automatic"), t("mode.letter.reservation"), null, t("mode.letter.none")];
  return (
    <>
      <Card title="ValveSymbol">
        <div className="gallery__row">
          {views.map((view, i) => (
            <span key={valveWords(t, view)} style={{ display: "grid", justifyItems: "center", gap: 4 }}>
              <ValveSymbol view={view} size={72} letter={letters[i % 4] ?? null} />
              {valveWords(t, view)}
            </span>
          ))}
        </div>
      </Card>
      <Card title="ChannelChip">
        <div className="gallery__row">
          {views.map((view, i) => (
            <ChannelChip
              key={valveWords(t, view)}
              name={i % 2 === 0 ? t("valve.open") : null}
              number={i + 1}
              view={view}
              selected={i === selected}
              onSelect={() => setSelected(i)}
            />
          ))}
        </div>
      </Card>
      <Card title="ConfirmSlide">
        <div style={{ display: "grid", gap: 12, maxWidth: 400 }}>
          <ConfirmSlide
            onConfirm={() => toaster.create({ title: "fired", type: "success" })}
            onAsk={() => setAsking(true)}
          />
          <ConfirmSlide
            onConfirm={() => toaster.create({ title: "never" })}
            onAsk={() => toaster.create({ title: "never" })}
            disabledReason={t("error.controller-offline")}
          />
          <Button
            size="lg"
            onClick={() => toaster.create({ title: t("command.state.accepted"), type: "success" })}
          >
            {t("command.target.close")}
          </Button>
        </div>
        <RunTimeDialog
          open={asking}
          name={t("valve.channel", { number: 3 })}
          defaultMinutes={10}
          maxMinutes={120}
          untilOf={(minutes) => `14:${String(5 + minutes).padStart(2, "0")}`}
          onConfirm={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      </Card>
      <div className="gallery__grid" style={{ gridTemplateColumns: "repeat(auto-fill, minmax(20rem, 1fr))" }}>
        {states.map((state, i) => (
          <CommandStatus key={state} state={state} target={1} seconds={i * 4 + 8} />
        ))}
      </div>
    </>
  );
}
