import { Box, Button, Flex, Stack, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchPastAlarms } from "../../api/alarms.ts";
import { errorCode } from "../../api/errors.ts";
import { useLastAnswer, useReload, useRestQuery } from "../../api/queries.tsx";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { beganAt } from "../../domain/alarm/present-alarms.ts";
import { thingTitle, useThing } from "../../domain/farm/use-names.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useOnEvent } from "../../live/hooks.ts";

const PAST = ["past-alarms"];

/** List past alarms, newest first, in pages. Alarms that end meanwhile are added. */
export function PastAlarms() {
  const { t } = useTranslation("alarms");
  const { error } = useLabels();
  const reload = useReload();
  const [number, setNumber] = useState(1);
  const query = useRestQuery([...PAST, number], (rest, signal) => fetchPastAlarms(rest, number, signal));
  const page = useLastAnswer(query.data);
  useOnEvent((event) => {
    if (event.kind === "alarm" && !event.alarm.active && event.alarm.ack !== null) reload(PAST);
  });
  if (query.error !== null)
    return <ErrorNote retry={() => void query.refetch()}>{error(errorCode(query.error))}</ErrorNote>;
  if (page === null)
    return (
      <Stack gap="3" w="full">
        <Skeleton height="3.5rem" />
        <Skeleton height="3.5rem" />
        <Skeleton height="3.5rem" />
      </Stack>
    );
  const { content, totalElements } = page;
  const pages = Math.max(1, Math.ceil(totalElements / DEFAULT_PAGE_SIZE));
  if (content.length === 0 && number === 1) return <NoAlarms>{t("past.none")}</NoAlarms>;
  return (
    <>
      <ul className="alarm-list">
        {content.map((alarm) => (
          <PastLine key={`${alarm.id} ${alarm.raisedAt}`} alarm={alarm} />
        ))}
      </ul>
      {pages > 1 && (
        <Flex as="nav" align="center" gap="3" aria-label={t("past.title")}>
          <Button size="sm" variant="outline" disabled={number <= 1} onClick={() => setNumber(number - 1)}>
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

/** Frame in place of an empty list. */
export function NoAlarms({ children }: { children: ReactNode }) {
  return (
    <Box
      w="full"
      py="10"
      px="4"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="border.strong"
      rounded="card"
      color="fg.muted"
      textAlign="center"
      data-testid="no-alarms"
    >
      {children}
    </Box>
  );
}
