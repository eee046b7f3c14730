import { Box, Button, Stack, Text } from "@chakra-ui/react";
import { type Actor, type CommandState, RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { CheckIcon, CircleQuestionMarkIcon, XIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { UNANSWERED_MS } from "../../domain/valve/drawn-view.ts";
import type { UnitChannel } from "../../domain/valve/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useEvents, useIsLive, useServerTime } from "../../live/hooks.ts";
import { outcomeOf } from "./panel-model.ts";
import type { SentCommand } from "./use-valve-command.ts";

interface CommandNewsProps {
  channel: UnitChannel;
  sent: SentCommand;
  /** Take the stored command of this id back, or dismiss its note. */
  onTakeBack: (id: string) => void;
}

/**
 * Show the state of the pending command or the result of the last one, the same on every screen of the
 * account.
 */
export function CommandNews({ channel, sent, onTakeBack }: CommandNewsProps) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const events = useEvents();
  const live = useIsLive();
  const { command } = channel.value;
  const since = command ? Date.parse(command.since) : null;
  const sentAt = "at" in sent ? sent.at : null;
  const seconds = useServerTime((now) => {
    // A press may be older than the server's first message: the machine's own clock stands on both sides.
    const ms = since !== null ? now - since : sentAt !== null ? Date.now() - sentAt : 0;
    return Math.max(0, Math.floor(ms / 1000));
  });
  // Evaluated once a second, because a confirmation is shown for a few seconds only.
  const newestFirst = events.map(({ event }) => event);
  const outcomeIndex = useServerTime((now) => {
    const outcome = outcomeOf(newestFirst, channel.value, now);
    return outcome === null ? -1 : newestFirst.indexOf(outcome);
  });

  let news: ReactNode;
  let by: Actor | null = null;
  if (command?.target) {
    news = <CommandStatus state={command.state} target={command.target} seconds={seconds} />;
    by = command.by;
  } else if (sent.state === "sending") {
    const { target, id } = sent;
    const isRemembered = target === 2 && seconds >= UNANSWERED_MS / 1_000;
    news = (
      <SendingStatus
        target={target}
        seconds={seconds}
        takeBack={isRemembered ? () => onTakeBack(id) : null}
      />
    );
  } else if (sent.state === "unsure") {
    news = (
      <ErrorNote>
        {t("unsureOpen")}
        {/* The reason for a missing answer is outdated once the page is live again. */}
        {!live && sent.reason !== null && ` ${labels.error(sent.reason)}`}
      </ErrorNote>
    );
  } else if (sent.state === "refused") {
    const { id } = sent;
    const dismiss = id !== null && (
      <IconButton label={t("common:action.close")} onClick={() => onTakeBack(id)}>
        <XIcon />
      </IconButton>
    );
    news = (
      <ErrorNote action={dismiss}>
        {sent.target === 1 ? t("openRefused") : t("closeRefused")} {labels.error(sent.reason)}
      </ErrorNote>
    );
  } else {
    const outcome = newestFirst[outcomeIndex];
    if (outcome?.kind !== "command" || outcome.target === null) return null;
    const reason = outcome.reason === undefined ? null : labels.error(outcome.reason);
    news = <CommandStatus state={outcome.state} target={outcome.target} seconds={0} reason={reason} />;
    by = outcome.by;
  }
  return (
    <Stack gap="1" mb="4" data-testid="command-news">
      {news}
      {by && (
        <Text color="fg.muted" fontSize="label">
          {by.id === RELAY_ACTOR.id ? labels.actor(by) : t("by", { name: by.nickname })}
        </Text>
      )}
    </Stack>
  );
}

type Mark = "done" | "current" | "ahead" | "failed" | "unanswered";

const ICONS: Readonly<Partial<Record<Mark, ReactNode>>> = {
  done: <CheckIcon size={12} />,
  failed: <XIcon size={12} />,
  unanswered: <CircleQuestionMarkIcon size={14} />,
};

const REQUESTED = ["requested", "done"] as const;
const ACCEPTED = ["accepted", "done"] as const;

/** Steps that each state shows, in order, with their marks. */
const STEPS: Readonly<Record<CommandState, readonly (readonly [CommandState, Mark])[]>> = {
  requested: [
    ["requested", "current"],
    ["accepted", "ahead"],
    ["confirmed", "ahead"],
  ],
  accepted: [REQUESTED, ["accepted", "current"], ["confirmed", "ahead"]],
  confirmed: [REQUESTED, ACCEPTED, ["confirmed", "done"]],
  unconfirmed: [REQUESTED, ACCEPTED, ["unconfirmed", "unanswered"]],
  refused: [REQUESTED, ["refused", "failed"]],
  failed: [REQUESTED, ["failed", "failed"]],
  superseded: [REQUESTED, ["superseded", "failed"]],
};

/** Steps have lines between them. All states are in one style: a live update adds no rule. */
const STATUS = {
  display: "grid",
  gap: "2.5",
  py: "3.5",
  px: "4",
  layerStyle: "panel",
  "& ol": { display: "flex", color: "fg.subtle", fontSize: "caption" },
  "& li": {
    position: "relative",
    flex: "1",
    display: "grid",
    justifyItems: "center",
    gap: "1.5",
    textAlign: "center",
    "&:not([data-mark=ahead])": { color: "fg", fontWeight: "600" },
  },
  "& li > i": {
    display: "grid",
    placeItems: "center",
    boxSize: "5",
    borderWidth: "2px",
    borderColor: "border.strong",
    rounded: "full",
  },
  "& :is([data-mark=done], [data-mark=current]) > i": { borderColor: "fg" },
  "& [data-mark=done] > i": { bg: "fg", color: "bg.panel" },
  "& [data-mark=current] > i::after": {
    content: '""',
    boxSize: "2",
    rounded: "full",
    bg: "fg",
    animation: "command-breathe 1.2s ease-in-out infinite alternate",
  },
  "& :is([data-mark=failed], [data-mark=unanswered]) > i": {
    borderColor: "transparent",
    borderRadius: "3px",
    bg: "alarm.p1.solid",
    color: "alarm.p1.contrast",
  },
  "&[data-state=superseded] [data-mark=failed] > i": { bg: "fg.subtle", color: "bg.panel" },
  "& li + li::before": {
    content: '""',
    position: "absolute",
    top: "10px",
    right: "calc(50% + 15px)",
    left: "calc(-50% + 15px)",
    borderTopWidth: "2px",
  },
  "& li:is([data-mark=done], [data-mark=current])::before": { borderColor: "fg" },
  "& li[data-mark=unanswered]::before": { borderStyle: "dashed", borderColor: "border.strong" },
  "& p": { display: "flex", justifyContent: "space-between", gap: "4", color: "fg.muted" },
  "& b": { flex: "none", color: "fg", fontWeight: "600" },
  "&[data-state=sending]": { borderStyle: "dashed", borderColor: "border.strong" },
  "&:is([data-state=refused], [data-state=failed], [data-state=unconfirmed])": {
    borderColor: "alarm.p1.fg",
    bg: "alarm.p1.tint",
    "& p": { color: "fg" },
  },
};

interface SendingStatusProps {
  target: ValveTarget;
  /** Time since the press, s. */
  seconds: number;
  /** Take the command back; null while it is young, or cannot be taken back. */
  takeBack: (() => void) | null;
}

/** Show a command that the relay has not answered: "sent" is said only once it has. */
function SendingStatus({ target, seconds, takeBack }: SendingStatusProps) {
  const { t } = useTranslation("common");
  const what = t(target === 1 ? "command.target.open" : "command.target.close");
  return (
    <Box css={STATUS} data-state="sending" data-remembered="" data-testid="remembered-command">
      <p>
        <span role="status">{t(takeBack ? "outbox.remembered" : "outbox.sending", { what })}</span>
        <b>{t("duration.seconds", { count: seconds })}</b>
      </p>
      {takeBack && (
        <Button size="sm" variant="outline" justifySelf="start" onClick={takeBack}>
          {t("outbox.takeBack")}
        </Button>
      )}
    </Box>
  );
}

interface CommandStatusProps {
  state: CommandState;
  target: ValveTarget;
  /** Time since the press, s. */
  seconds: number;
  /** Text of the reason for a refusal or failure. */
  reason?: string | null;
}

/** Show a command's progress: requested, accepted, confirmed, or the step at which it ended. */
function CommandStatus({ state, target, seconds, reason = null }: CommandStatusProps) {
  const { t } = useTranslation("common");
  const targetWord = t(target === 1 ? "command.target.open" : "command.target.close");
  return (
    <Box css={STATUS} data-state={state}>
      <ol>
        {STEPS[state].map(([step, mark]) => (
          <li key={step} data-mark={mark} aria-current={mark === "current" ? "step" : undefined}>
            <i>{ICONS[mark]}</i>
            <span>{t(`command.state.${step}`)}</span>
          </li>
        ))}
      </ol>
      <p>
        <span role="status">{reason ?? t(`command.sentence.${state}`, { target: targetWord })}</span>
        {(state === "requested" || state === "accepted") && (
          <b>{t("duration.seconds", { count: seconds })}</b>
        )}
      </p>
    </Box>
  );
}
