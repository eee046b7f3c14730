import { Box, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import type { CommandEvent, LiveEvent } from "@mulkko/shared/live/events";
import type { LoggedCommand } from "@mulkko/shared/rest/command";
import { ChevronDownIcon } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCommands } from "../../api/commands.ts";
import { errorReason } from "../../api/errors.ts";
import { useClaim } from "../../api/knowledge.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import type { UnitChannel } from "../../domain/valve/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useOnEvent } from "../../live/hooks.ts";
import { settingOfCommand } from "./modes/use-mode-calls.ts";

/** Line of a channel's command log. `origin` is null until the log has loaded. */
interface CommandLine
  extends Omit<LoggedCommand, "controllerId" | "channelId" | "number" | "traceId" | "origin"> {
  readonly origin: string | null;
}

/** Maximum number of lines, more than a user reads. */
export const MAX_LINES = 200;

const newestFirst = (a: CommandLine, b: CommandLine): number => b.at.localeCompare(a.at);

/** Add a live step to the lines: continue its line or start one. */
export function withEvent(lines: readonly CommandLine[], event: CommandEvent): readonly CommandLine[] {
  const known = lines.find(({ id }) => id === event.id);
  const { id, command, target, state, by, at, reason = null, runUntil = known?.until ?? null } = event;
  const before = known?.steps ?? [];
  const isThere = before.some((step) => step.state === state && step.at === at);
  const line: CommandLine = {
    ...(known ?? { id, command, target, by, at, origin: null }),
    state,
    reason,
    until: runUntil,
    steps: isThere ? before : [...before, { state, at }],
    ...(event.administrator && { administrator: event.administrator }),
  };
  return [line, ...lines.filter((each) => each !== known)].sort(newestFirst).slice(0, MAX_LINES);
}

/** Merge the loaded log with the live lines: for each command keep the version with more steps. */
export function withLog(
  lines: readonly CommandLine[],
  log: readonly LoggedCommand[],
): readonly CommandLine[] {
  const live = new Map(lines.map((line) => [line.id, line]));
  const merged: CommandLine[] = log.map((logged) => {
    const line = live.get(logged.id);
    live.delete(logged.id);
    return line && line.steps.length > logged.steps.length ? { ...line, origin: logged.origin } : logged;
  });
  return [...merged, ...live.values()].sort(newestFirst).slice(0, MAX_LINES);
}

const MUTED = { color: "fg.muted", fontSize: "label" } as const;
const TROUBLED = {
  ':is([data-state="refused"], [data-state="failed"], [data-state="unconfirmed"]) > p > &': {
    color: "alarm.p1.fg",
    fontWeight: "600",
  },
};

/** List the commands for a channel's valve and modes in the last 24 hours: user, origin and result. */
export function CommandLog({ channel }: { channel: UnitChannel }) {
  const { t } = useTranslation("controller");
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <chakra.section minW="0" layerStyle="panel">
      <h2>
        <chakra.button
          type="button"
          display="flex"
          alignItems="center"
          gap="3"
          w="full"
          minH="14"
          py="2"
          px="card"
          rounded="card"
          textAlign="start"
          cursor="pointer"
          _hover={{ bg: "bg.sunk" }}
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setOpen(!open)}
        >
          <Text as="span" textStyle="title">
            {t("log.title")}
          </Text>
          <Text as="span" flex="1" {...MUTED}>
            {t("log.day")}
          </Text>
          <Box
            as="span"
            display="grid"
            color="fg.subtle"
            css={{ "[aria-expanded=true] > &": { rotate: "180deg" } }}
          >
            <ChevronDownIcon />
          </Box>
        </chakra.button>
      </h2>
      <div id={body} hidden={!open}>
        {open && <Lines channel={channel} />}
      </div>
    </chakra.section>
  );
}

function Lines({ channel }: { channel: UnitChannel }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const [lines, setLines] = useState<readonly CommandLine[]>([]);
  const { controllerId, number } = channel.value;
  const { data, error, refetch } = useRestQuery(["commands", channel.id], (rest, signal) =>
    fetchCommands(rest, channel.id, signal),
  );
  const claim = useClaim({ data, error });
  useOnEvent((event: LiveEvent) => {
    if (event.kind !== "command" || event.number !== number) return;
    if (`${event.controllerId}` === `${controllerId}`) setLines((now) => withEvent(now, event));
  });
  useEffect(() => {
    if (data !== null) setLines((now) => withLog(now, data));
  }, [data]);

  if (error !== null || lines.length === 0) {
    return (
      <Box pt="2" px="card" pb="card" color="fg.muted">
        {error !== null ? (
          <ErrorNote retry={() => void refetch()}>{labels.error(errorReason(error))}</ErrorNote>
        ) : data === null ? (
          <Skeleton height="3rem" />
        ) : (
          <p>{claim(t("log.none"))}</p>
        )}
      </Box>
    );
  }
  return (
    <chakra.ol position="relative" maxH="28rem" overflowY="auto" aria-label={t("log.title")}>
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </chakra.ol>
  );
}

/** Origins of a command in the log. */
const ORIGINS = ["screen", "api", "relay"] as const;

function Line({ line }: { line: CommandLine }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const origin = ORIGINS.find((each) => each === line.origin);
  const setting = settingOfCommand(line.command);
  const what =
    line.target !== null
      ? t(line.target === 1 ? "log.open" : "log.close")
      : setting !== null
        ? `${t(`common:mode.${setting.mode}`)} · ${t(`mode.notice.${setting.sets}`)}`
        : line.command;
  const until =
    line.until === null ? null : t("common:runTime.until", { time: texts.time(Date.parse(line.until)) });
  return (
    <Grid
      as="li"
      gap="0.5"
      py="3"
      px="card"
      borderTopWidth="1px"
      data-testid="command"
      data-state={line.state}
    >
      <Flex as="p" wrap="wrap" align="baseline" justify="space-between" rowGap="0.5" columnGap="3">
        <strong>{what}</strong>
        <Text as="span" {...MUTED} css={TROUBLED}>
          {t(`common:command.state.${line.state}`)}
        </Text>
      </Flex>
      <Text {...MUTED}>
        {[labels.actor(line.by), origin && t(`log.from.${origin}`), until].filter(Boolean).join(" · ")}
      </Text>
      {line.administrator && (
        <Text {...MUTED}>{t("common:command.byAdministrator", { reason: line.administrator.reason })}</Text>
      )}
      {line.reason !== null && <Text {...MUTED}>{labels.error(line.reason)}</Text>}
      <Flex as="ol" wrap="wrap" rowGap="0" columnGap="3.5" color="fg.subtle" fontSize="caption">
        {line.steps.map(({ state, at }) => (
          <li key={`${state} ${at}`}>
            <span>{t(`common:command.state.${state}`)}</span>{" "}
            <time dateTime={at}>{texts.exactTime(Date.parse(at))}</time>
          </li>
        ))}
      </Flex>
    </Grid>
  );
}
