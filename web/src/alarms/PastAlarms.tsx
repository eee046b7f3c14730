import { Button, Flex, Stack, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import type { AlarmPage } from "@mulkko/shared/rest/alarm";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { useEffect, useState } from "react";
import { AlarmBadge } from "../components/alarm-badge.tsx";
import { ErrorNote } from "../components/alerts.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { thingTitle, useThing } from "../farm/use-names.ts";
import { useTimeWords } from "../farm/use-time-words.ts";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useOnEvent } from "../live/hooks.ts";
import { fetchPastAlarms } from "../rest/alarms.ts";
import { errorCode } from "../rest/errors.ts";
import { useRest } from "../rest/hooks.ts";
import { beganAt } from "./present-alarms.ts";

type Loaded = { state: "loading" } | { state: "there"; page: AlarmPage } | { state: "failed"; code: string };

/** List past alarms, newest first, in pages. Alarms that end meanwhile are added. */
export function PastAlarms() {
  const { t } = useTranslation(["alarms", "common"]);
  const { error } = useLabels();
  const { client } = useRest();
  const [number, setNumber] = useState(1);
  const [asked, setAsked] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the requests for the page
  useEffect(() => {
    const abort = new AbortController();
    fetchPastAlarms(client, number, abort.signal).then(
      (page) => setLoaded({ state: "there", page }),
      (problem: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", code: errorCode(problem) });
      },
    );
    return () => abort.abort();
  }, [client, number, asked]);
  const askAgain = () => setAsked((count) => count + 1);
  useOnEvent((event) => {
    if (event.kind === "alarm" && !event.alarm.active && event.alarm.ack !== null) askAgain();
  });

  switch (loaded.state) {
    case "loading":
      return (
        <Stack gap="3" w="full">
          <Skeleton height="3.5rem" />
          <Skeleton height="3.5rem" />
          <Skeleton height="3.5rem" />
        </Stack>
      );
    case "failed":
      return (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={askAgain}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {error(loaded.code)}
        </ErrorNote>
      );
    case "there": {
      const { content, totalElements } = loaded.page;
      const pages = Math.max(1, Math.ceil(totalElements / DEFAULT_PAGE_SIZE));
      if (content.length === 0 && number === 1)
        return (
          <Text
            w="full"
            py="10"
            px="4"
            borderWidth="1px"
            borderStyle="dashed"
            borderColor="border.strong"
            rounded="card"
            color="fg.muted"
            textAlign="center"
            css={{ "& > p:first-child:not(:last-child)": { color: "fg", fontWeight: "semibold" } }}
            data-testid="no-alarms"
          >
            {t("past.none")}
          </Text>
        );
      return (
        <>
          <ul className="alarm-list">
            {content.map((alarm) => (
              <PastLine key={`${alarm.id} ${alarm.raisedAt}`} alarm={alarm} />
            ))}
          </ul>
          {pages > 1 && (
            <Flex as="nav" align="center" gap="3" aria-label={t("past.title")}>
              <Button
                size="sm"
                variant="outline"
                disabled={number <= 1}
                onClick={() => setNumber(number - 1)}
              >
                {t("past.newer")}
              </Button>
              <span>
                {number} / {pages}
              </span>
              <Button
                size="sm"
                variant="outline"
                disabled={number >= pages}
                onClick={() => setNumber(number + 1)}
              >
                {t("past.older")}
              </Button>
            </Flex>
          )}
        </>
      );
    }
  }
}

function PastLine({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(["alarms", "common"]);
  const { alarmType } = useLabels();
  const words = useTimeWords();
  const thing = useThing(alarm);
  const type = alarmType(alarm.type);
  const from = words.dayTime(Date.parse(beganAt(alarm)));
  const to = alarm.clearedAt === null ? null : words.dayTime(Date.parse(alarm.clearedAt));
  return (
    <li className="alarm-line" data-over data-seen>
      <AlarmBadge priority={alarm.priority} />
      <div className="alarm-line__about">
        <p className="alarm-line__title">
          {thing ? thingTitle(thing, (number) => t("common:valve.channel", { number })) : type}
        </p>
        {thing && (
          <Text color="fg.muted" fontSize="label">
            {type}
          </Text>
        )}
        <Text color="fg.muted" fontSize="label">
          {to === null || to === from ? from : `${from} – ${to}`}
        </Text>
        {alarm.ack && (
          <Text color="fg.muted" fontSize="label">
            {t("common:alarm.seenBy", { by: alarm.ack.by.nickname })}
            {alarm.ack.comment !== null && <q>{alarm.ack.comment}</q>}
          </Text>
        )}
      </div>
    </li>
  );
}
