import { Stack, Text } from "@chakra-ui/react";
import { type Actor, RELAY_ACTOR } from "@mulkko/shared/live/devices";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { CommandStatus } from "../../domain/valve/command-status.tsx";
import type { UnitChannel } from "../../domain/valve/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useEvents, useIsLive, useServerTime } from "../../live/hooks.ts";
import { outcomeOf } from "./panel-model.ts";
import type { Press } from "./use-press.ts";

/**
 * Show the state of the pending command or the result of the last one, the same on every screen of the
 * account.
 */
export function CommandNews({ channel, press }: { channel: UnitChannel; press: Press }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const events = useEvents();
  const live = useIsLive();
  const byWords = (by: Actor): string =>
    by.id === RELAY_ACTOR.id ? labels.actor(by) : t("by", { name: by.nickname });
  const { command } = channel.value;
  const since = command ? Date.parse(command.since) : press.state === "sending" ? press.at : null;
  const seconds = useServerTime((now) =>
    since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000)),
  );
  // Evaluated once a second, because a confirmation is shown for a few seconds only.
  const outcomeId = useServerTime((now) => {
    const outcome = outcomeOf(
      events.map(({ event }) => event),
      channel.value,
      now,
    );
    return outcome ? `${outcome.id} ${outcome.state}` : null;
  });

  if (command?.target) {
    return (
      <Stack gap="1" mb="4" data-testid="command-news">
        <CommandStatus state={command.state} target={command.target} seconds={seconds} />
        <Text color="fg.muted" fontSize="label">
          {byWords(command.by)}
        </Text>
      </Stack>
    );
  }
  if (press.state === "sending") {
    return (
      <Stack gap="1" mb="4" data-testid="command-news">
        <CommandStatus state="requested" target={press.target} seconds={seconds} />
      </Stack>
    );
  }
  if (press.state !== "none") {
    const opens = press.target === 1;
    const refused = opens ? t("openRefused") : t("closeRefused");
    const unsure = opens ? t("unsureOpen") : t("unsure");
    return (
      <Stack gap="1" mb="4" data-testid="command-news">
        <ErrorNote>
          {press.state === "refused" ? refused : unsure}
          {/* The reason for a missing answer is outdated once the page is live again. */}
          {(press.state === "refused" || !live) && ` ${labels.error(press.reason)}`}
        </ErrorNote>
      </Stack>
    );
  }
  const outcome =
    outcomeId === null ? undefined : events.find(({ event }) => isOutcome(event, outcomeId))?.event;
  if (outcome?.kind !== "command" || outcome.target === null) return null;
  const reason = outcome.reason === undefined ? null : labels.error(outcome.reason);
  return (
    <Stack gap="1" mb="4" data-testid="command-news">
      <CommandStatus state={outcome.state} target={outcome.target} seconds={0} reason={reason} />
      <Text color="fg.muted" fontSize="label">
        {byWords(outcome.by)}
      </Text>
    </Stack>
  );
}

const isOutcome = (event: { kind: string; id?: unknown; state?: unknown }, id: string): boolean =>
  event.kind === "command" && `${event.id} ${event.state}` === id;
