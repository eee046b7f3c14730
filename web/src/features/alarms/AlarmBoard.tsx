import { Box, Stack, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchPastAlarms } from "../../api/alarms.ts";
import { errorCode } from "../../api/errors.ts";
import { useAccount } from "../../api/hooks.ts";
import { useClaim } from "../../api/knowledge.ts";
import { useLastAnswer, useReload, useRestQuery } from "../../api/queries.tsx";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { lazyPart } from "../../components/lazy/retried.ts";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Pager } from "../../components/table.tsx";
import { pageCount } from "../../components/table-model.ts";
import { AcknowledgeAll } from "../../domain/alarm/AlarmActions.tsx";
import { AlarmLines, AlarmList } from "../../domain/alarm/AlarmLine.tsx";
import { AlarmNote } from "../../domain/alarm/AlarmNote.tsx";
import { beganAt, usePresentAlarms } from "../../domain/alarm/present-alarms.ts";
import { useThing } from "../../domain/farm/use-names.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { loadTranslations } from "../../i18n/translations.ts";
import { useKnowledge, useOnEvent } from "../../live/hooks.ts";

/** `/alarms`: present alarms with their actions, and past alarms. */
export function AlarmsPage() {
  const { t } = useTranslation("alarms");
  return (
    <Box maxW="52rem">
      <PageHeading title={t("title")} note={t("note")} />
      <AlarmBoard />
    </Box>
  );
}

/** Show the alarms in a drawer beside the page. */
export function AlarmDrawer() {
  return (
    <Box p="4">
      <AlarmBoard />
    </Box>
  );
}

/** Only administrators load the alarms of all accounts, with their translations. */
const FleetAlarms = lazyPart(async () => {
  const [list] = await Promise.all([import("../../domain/fleet/FleetAlarms.tsx"), loadTranslations("admin")]);
  return list.FleetAlarms;
});

/**
 * List all alarms: the present ones and, on a second tab, the past ones. An administrator's list begins with
 * those of all accounts (WARN-1).
 */
export function AlarmBoard() {
  const { t } = useTranslation("alarms");
  const isAdmin = useAccount().userType === "ADMIN";
  const [leaf, setLeaf] = useState<"everyone" | "present" | "past">(isAdmin ? "everyone" : "present");
  return (
    <Stack gap="4" align="start" css={{ "& > *": { maxW: "full" } }} data-testid="alarm-board">
      <ChoiceSegments
        label={t("title")}
        value={leaf}
        choices={[
          ...(isAdmin ? [{ value: "everyone", label: t("everyone") } as const] : []),
          { value: "present", label: t(isAdmin ? "own" : "present") },
          { value: "past", label: t("past.title") },
        ]}
        onChoose={setLeaf}
      />
      {leaf === "everyone" && (
        <Suspense fallback={<Skeleton height="8rem" />}>
          <FleetAlarms />
        </Suspense>
      )}
      {leaf === "present" && <PresentList />}
      {leaf === "past" && <PastAlarms />}
    </Stack>
  );
}

function PresentList() {
  const { t } = useTranslation("alarms");
  const lines = usePresentAlarms();
  const knowledge = useKnowledge();
  if (lines.length === 0 && !knowledge.known && knowledge.why === "loading")
    return <Skeleton height="8rem" />;
  if (lines.length === 0) {
    return (
      <NoAlarms>
        <Text color="fg" fontWeight="semibold">
          {t(knowledge.known ? "none.title" : "unknown.title")}
        </Text>
        <p>{t(knowledge.known ? "none.text" : "unknown.text")}</p>
      </NoAlarms>
    );
  }
  const alarms = lines.flatMap((line) => line.alarms);
  return (
    <>
      {lines.some((line) => line.alarms.length > 1) && (
        <Text color="fg.muted">{t("flood", { count: alarms.length })}</Text>
      )}
      {/* One alarm, or the group of a flood, has a button of its own. */}
      {lines.length > 1 && alarms.filter(({ ack }) => ack === null).length > 1 && (
        <AcknowledgeAll alarms={alarms} variant="outline" />
      )}
      <AlarmLines lines={lines} />
    </>
  );
}

const PAST = ["past-alarms"];

/** List past alarms, newest first, in pages. Alarms that end meanwhile are added. */
function PastAlarms() {
  const { t } = useTranslation("alarms");
  const { error } = useLabels();
  const reload = useReload();
  const [number, setNumber] = useState(1);
  const query = useRestQuery([...PAST, number], (rest, signal) => fetchPastAlarms(rest, number, signal));
  const page = useLastAnswer(query.data);
  const claim = useClaim(query);
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
  const pages = pageCount(totalElements, DEFAULT_PAGE_SIZE);
  if (content.length === 0 && number === 1) return <NoAlarms>{claim(t("past.none"))}</NoAlarms>;
  return (
    <>
      <AlarmList>
        {content.map((alarm) => (
          <PastLine key={`${alarm.id} ${alarm.raisedAt}`} alarm={alarm} />
        ))}
      </AlarmList>
      {pages > 1 && <Pager page={number} pages={pages} onPage={setNumber} />}
    </>
  );
}

function PastLine({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(["alarms", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const thing = useThing(alarm);
  const type = labels.alarmType(alarm.type);
  const from = texts.dayTime(Date.parse(beganAt(alarm)));
  const to = alarm.clearedAt === null ? null : texts.dayTime(Date.parse(alarm.clearedAt));
  return (
    <li className="alarm-line" data-over data-seen>
      <AlarmBadge priority={alarm.priority} />
      <div className="alarm-line__about">
        <p className="alarm-line__title">{thing ? labels.thing(thing) : type}</p>
        {thing && <AlarmNote>{type}</AlarmNote>}
        <AlarmNote>{to === null || to === from ? from : `${from} – ${to}`}</AlarmNote>
        {alarm.ack && (
          <AlarmNote>
            {t("common:alarm.seenBy", { by: alarm.ack.by.nickname })}
            {alarm.ack.comment !== null && <q>{alarm.ack.comment}</q>}
          </AlarmNote>
        )}
      </div>
    </li>
  );
}

/** Frame in place of an empty list. */
function NoAlarms({ children }: { children: ReactNode }) {
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
