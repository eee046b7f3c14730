import "./command-log.css";
import { Box, chakra, Flex, Text } from "@chakra-ui/react";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { ChevronDownIcon } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCommands } from "../../api/commands.ts";
import { errorReason } from "../../api/errors.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import type { UnitChannel } from "../../domain/valve/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useOnEvent } from "../../live/hooks.ts";
import { type CommandLine, withEvent, withLog } from "./command-lines.ts";

/** List the commands for a channel's valve and modes in the last 24 hours: user, origin and result. */
export function CommandLog({ channel }: { channel: UnitChannel }) {
  const { t } = useTranslation("controller");
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <chakra.section
      className="command-log"
      minW="0"
      borderWidth="1px"
      rounded="card"
      bg="bg.panel"
      data-open={open || undefined}
    >
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
          <Text as="span" flex="1" color="fg.muted" fontSize="label">
            {t("log.day")}
          </Text>
          <span className="command-log__arrow">
            <ChevronDownIcon />
          </span>
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
  useOnEvent((event: LiveEvent) => {
    if (event.kind !== "command" || event.number !== number) return;
    if (`${event.controllerId}` === `${controllerId}`) setLines((now) => withEvent(now, event));
  });
  useEffect(() => {
    if (data !== null) setLines((now) => withLog(now, data));
  }, [data]);

  if (error !== null) {
    return (
      <Box pt="2" px="card" pb="card" color="fg.muted">
        <ErrorNote
          action={
            <chakra.button
              type="button"
              minH="12"
              px="4"
              fontWeight="semibold"
              textDecoration="underline"
              cursor="pointer"
              onClick={() => void refetch()}
            >
              {t("common:action.retry")}
            </chakra.button>
          }
        >
          {labels.error(errorReason(error))}
        </ErrorNote>
      </Box>
    );
  }
  if (lines.length === 0) {
    return (
      <Box pt="2" px="card" pb="card" color="fg.muted">
        {data === null ? <Skeleton height="3rem" /> : <p>{t("log.none")}</p>}
      </Box>
    );
  }
  return (
    <chakra.ol maxH="28rem" overflowY="auto" aria-label={t("log.title")}>
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </chakra.ol>
  );
}

/** Origins of a command in the log. */
const ORIGINS = ["screen", "api", "relay"] as const;

/** Translation keys of commands that change settings instead of moving the valve. */
const SETTINGS = {
  "automatic/reset": { mode: "automatic", sets: "reset" },
  "automatic/watering": { mode: "automatic", sets: "minutes" },
  "automatic/low": { mode: "automatic", sets: "low" },
  "automatic/high": { mode: "automatic", sets: "high" },
  "reservation/reset": { mode: "reservation", sets: "reset" },
  "reservation/watering": { mode: "reservation", sets: "minutes" },
  "reservation/time": { mode: "reservation", sets: "time" },
  "reservation/repeat": { mode: "reservation", sets: "repeat" },
  "period/reset": { mode: "period", sets: "reset" },
  "period/watering": { mode: "period", sets: "minutes" },
  "period/time/m": { mode: "period", sets: "interval" },
  "period/repeat": { mode: "period", sets: "repeat" },
} as const;

const isSetting = (command: string): command is keyof typeof SETTINGS => Object.hasOwn(SETTINGS, command);

function Line({ line }: { line: CommandLine }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const words = useTimeWords();
  const origin = ORIGINS.find((each) => each === line.origin);
  const setting = isSetting(line.command) ? SETTINGS[line.command] : null;
  const what =
    line.target !== null
      ? t(line.target === 1 ? "log.open" : "log.close")
      : setting
        ? `${t(`common:mode.${setting.mode}`)} · ${t(`mode.notice.${setting.sets}`)}`
        : line.command;
  const until =
    line.until === null ? null : t("common:runTime.until", { time: words.time(Date.parse(line.until)) });
  return (
    <li className="command-log__line" data-testid="command" data-state={line.state}>
      <Flex as="p" wrap="wrap" align="baseline" justify="space-between" rowGap="0.5" columnGap="3">
        <strong>{what}</strong>
        <span className="command-log__ended">{t(`common:command.state.${line.state}`)}</span>
      </Flex>
      <Text color="fg.muted" fontSize="label">
        {[labels.actor(line.by), origin && t(`log.from.${origin}`), until].filter(Boolean).join(" · ")}
      </Text>
      {line.reason !== null && (
        <Text color="fg.muted" fontSize="label">
          {labels.error(line.reason)}
        </Text>
      )}
      <Flex as="ol" wrap="wrap" rowGap="0" columnGap="3.5" color="fg.subtle" fontSize="caption">
        {line.steps.map(({ state, at }) => (
          <li key={`${state} ${at}`}>
            <span>{t(`common:command.state.${state}`)}</span>{" "}
            <time dateTime={at}>{words.exactTime(Date.parse(at))}</time>
          </li>
        ))}
      </Flex>
    </li>
  );
}
