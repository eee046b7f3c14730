import { Badge, Box, Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import type { Notification } from "@mulkko/shared/entities/notification";
import type { AlarmEvent, CommandEvent, FlipEvent, WateringEvent } from "@mulkko/shared/live/events";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { CheckIcon, ClockIcon, TriangleAlertIcon, UnplugIcon } from "lucide-react";
import { type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { errorCode } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { readNotifications } from "../../api/notifications.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { DropIcon, ValveIcon } from "../../components/icons.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { IN_ONE_LINE, useOpenValves } from "../../domain/alarm/open-valves.ts";
import { beganAt } from "../../domain/alarm/present-alarms.ts";
import { type Named, type Names, type Thing, thingTitle, useNames } from "../../domain/farm/use-names.ts";
import { DEFAULT_ZONE, useTimeWords } from "../../domain/time/use-time-words.ts";
import { useWateringWords } from "../../domain/watering/watering-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useEvents, useLink, useServerTime } from "../../live/hooks.ts";
import { type ActivityEvent, activityLines, isNoteworthy } from "./activity.ts";
import {
  afterReading,
  BellNotifications,
  isUnread,
  type Notifications,
  readableIds,
} from "./use-notifications.ts";

/** Viewing time after which an unread notification counts as read, ms. */
export const READ_AFTER_MS = 3_000;

type NotificationListProps = Pick<Notifications, "loaded" | "keep">;

/** List the farm API's notifications in its order, newest first. */
export function NotificationList({ loaded, keep }: NotificationListProps) {
  const { t } = useTranslation("shell");
  const { error } = useLabels();
  switch (loaded.state) {
    case "loading":
      return (
        <Stack gap="3" px="4" py="6">
          <Skeleton height="2.5rem" />
          <Skeleton height="2.5rem" />
        </Stack>
      );
    case "failed":
      return <ErrorNote>{error(loaded.code)}</ErrorNote>;
    case "there":
      if (loaded.notifications.length === 0) return <BellNone>{t("bell.empty")}</BellNone>;
      return <Lines notifications={loaded.notifications} onRead={keep} />;
  }
}

interface LinesProps {
  notifications: readonly Notification[];
  onRead: (notifications: readonly Notification[]) => void;
}

/** List notifications and report them as read after a while; until the list reopens they stay marked new. */
function Lines({ notifications, onRead }: LinesProps) {
  const { t } = useTranslation("shell");
  const { error } = useLabels();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const mayRead = useExtension("noti-read") && !readOnly;
  const [failure, setFailure] = useState<string | null>(null);
  const ids = mayRead ? readableIds(notifications) : [];
  const wanted = ids.join();
  useEffect(() => {
    if (wanted === "") return;
    const looked = wanted.split(",").map(Number);
    const timer = setTimeout(() => {
      // Not a user action: a failure is retried the next time that the list opens.
      readNotifications(client, looked).catch(() => undefined);
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, wanted]);

  const readAll = () => {
    setFailure(null);
    readNotifications(client, ids).then(
      () => onRead(afterReading(notifications, ids)),
      (problem: unknown) => setFailure(errorCode(problem)),
    );
  };
  return (
    <>
      {failure !== null && <ErrorNote>{error(failure)}</ErrorNote>}
      {ids.length > 0 && (
        <Button
          variant="ghost"
          justifyContent="flex-start"
          w="full"
          px="3.5"
          borderWidth="0 0 1px"
          borderColor="border"
          rounded="none"
          textStyle="body"
          fontWeight="medium"
          focusVisibleRing="inside"
          onClick={readAll}
        >
          <CheckIcon />
          {t("bell.readAll", { count: ids.length })}
        </Button>
      )}
      <ul aria-label={t("bell.notifications")}>
        {notifications.map((notification) => (
          <NotificationLine
            key={`${notification.id ?? ""} ${notification.createdDate} ${notification.message}`}
            notification={notification}
          />
        ))}
      </ul>
    </>
  );
}

function NotificationLine({ notification }: { notification: Notification }) {
  const { t } = useTranslation("shell");
  const { notificationType } = useLabels();
  const zone = useLink((link) => link.apiTimezone) ?? DEFAULT_ZONE;
  const created = createApiTimeZone(zone).toInstant(notification.createdDate);
  const minutes = useServerTime((now) => (created === null ? 0 : Math.floor((now - created) / 60_000)));
  const unread = isUnread(notification);
  return (
    <BellLine
      title={
        <>
          {notificationType(notification.type)}
          <Badge
            {...(unread ? { variant: "solid" } : { variant: "outline", color: "fg.muted" })}
            ms="2"
            px="0.4rem"
            rounded="full"
            fontSize="0.6875rem"
            fontWeight="semibold"
          >
            {t(unread ? "bell.new" : "bell.old")}
          </Badge>
        </>
      }
      detail={notification.message}
      age={minutes * 60_000}
      noteworthy={unread}
    />
  );
}

export interface BellLineProps {
  icon?: ReactNode;
  title: ReactNode;
  detail: ReactNode;
  /** Age of the event, ms. */
  age: number;
  /** True for a line that stands out: a trouble, or a new notification. */
  noteworthy: boolean;
  /** Address of the object; a line without one is no link. */
  to?: string | undefined;
  onGo?: () => void;
}

/** One line of the bell's lists. */
export function BellLine({ icon, title, detail, age, noteworthy, to, onGo }: BellLineProps) {
  const words = useLabels();
  const body = (
    <>
      {icon && (
        <chakra.span flex="none" mt="0.1rem" color={noteworthy ? "fg" : "fg.subtle"}>
          {icon}
        </chakra.span>
      )}
      <Grid as="span" flex="1" minW="0" gap="0.1rem" css={{ [LARGE_LETTERS]: { flexBasis: "70%" } }}>
        <chakra.span fontWeight={noteworthy ? "650" : "medium"}>{title}</chakra.span>
        <chakra.span color="fg.muted" fontSize="label">
          {detail}
        </chakra.span>
      </Grid>
      <chakra.span flex="none" color="fg.subtle" fontSize="caption">
        {words.age(age)}
      </chakra.span>
    </>
  );
  return (
    <chakra.li
      _notFirst={{ borderTopWidth: "1px" }}
      data-testid="bell-line"
      data-noteworthy={noteworthy || undefined}
    >
      <Flex
        asChild
        gap="3"
        minH="3.25rem"
        px="3.5"
        py="2.5"
        color="fg"
        css={{
          [LARGE_LETTERS]: { flexWrap: "wrap" },
          "&[href]": { _hover: { bg: "bg.sunk" }, _focusVisible: { outlineOffset: "-2px" } },
        }}
      >
        {to === undefined ? (
          <span>{body}</span>
        ) : (
          <Link to={to} onClick={onGo}>
            {body}
          </Link>
        )}
      </Flex>
    </chakra.li>
  );
}

/** A phone with large letters. */
const LARGE_LETTERS = "@media (max-width: 22rem)";

/** Sentence instead of an empty list. */
export function BellNone({ children }: { children: ReactNode }) {
  return (
    <Text px="4" py="6" color="fg.muted" textAlign="center" data-testid="bell-empty">
      {children}
    </Text>
  );
}

/** The bell's two lists: the farm API's notifications, first if some are new, and the events. */
export function BellLists({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const { loaded, keep, fresh } = useContext(BellNotifications);
  const [list, setList] = useState<"notifications" | "activity">(fresh > 0 ? "notifications" : "activity");
  return (
    <>
      <Box p="3" borderBottomWidth="1px">
        <ChoiceSegments
          label={t("bell.title")}
          value={list}
          choices={[
            { value: "activity", label: t("bell.activity") },
            {
              value: "notifications",
              label: fresh > 0 ? t("bell.notificationsNew", { count: fresh }) : t("bell.notifications"),
            },
          ]}
          onChoose={setList}
        />
      </Box>
      <Box maxH="min(450px, 70dvh)" overflowY="auto" overscrollBehavior="contain" data-testid="bell-scroll">
        {list === "activity" ? (
          <ActivityList onGo={onClose} />
        ) : (
          <NotificationList loaded={loaded} keep={keep} />
        )}
      </Box>
    </>
  );
}

/** List flips, commands and waterings live, newest first. */
function ActivityList({ onGo }: { onGo: () => void }) {
  const { t } = useTranslation("shell");
  const events = useEvents();
  const names = useNames();
  const lines = useMemo(() => activityLines(events.map(({ event }) => event)), [events]);
  if (lines.length === 0) return <BellNone>{t("bell.noActivity")}</BellNone>;
  return (
    <ul aria-label={t("bell.activity")}>
      {lines.map(({ id, event }) => (
        <Line key={id} event={event} names={names} onGo={onGo} />
      ))}
    </ul>
  );
}

function Line({ event, names, onGo }: { event: ActivityEvent; names: Names; onGo: () => void }) {
  switch (event.kind) {
    case "flip":
      return <FlipLine event={event} named={names.ofKey(event.key)} onGo={onGo} />;
    case "command":
      return <CommandLine event={event} named={names.ofCommand(event)} onGo={onGo} />;
    case "watering":
      return <WateringLine event={event} named={names.ofWatering(event.watering)} onGo={onGo} />;
    case "alarm":
      return <AlarmLine event={event} named={names.ofThing(event.alarm)} onGo={onGo} />;
  }
}

interface EventLineProps extends Omit<BellLineProps, "age" | "noteworthy"> {
  event: ActivityEvent;
  at: string;
}

function EventLine({ event, at, ...line }: EventLineProps) {
  return <BellLine {...line} age={useAge(at) ?? 0} noteworthy={isNoteworthy(event)} />;
}

interface LineProps<Event, Found extends Thing = Named> {
  event: Event;
  named: Found | null;
  onGo: () => void;
}

function FlipLine({ event, named, onGo }: LineProps<FlipEvent>) {
  const { t } = useTranslation("shell");
  return (
    <EventLine
      event={event}
      icon={event.online ? <ClockIcon /> : <UnplugIcon />}
      title={named?.name ?? t("activity.gone")}
      detail={t(event.online ? "activity.online" : "activity.offline")}
      // A silence counts from its last reading, as its alarm does.
      at={event.online ? event.at : (event.last ?? event.at)}
      to={named?.to}
      onGo={onGo}
    />
  );
}

function CommandLine({ event, named, onGo }: LineProps<CommandEvent>) {
  const { t } = useTranslation(["common", "shell"]);
  const labels = useLabels();
  const what =
    event.target === null
      ? t("shell:activity.command")
      : t(event.target === 1 ? "shell:activity.opening" : "shell:activity.closing");
  const state = t(`command.state.${event.state}`);
  const reason = event.reason === undefined ? [] : [labels.error(event.reason)];
  return (
    <EventLine
      event={event}
      icon={isNoteworthy(event) ? <TriangleAlertIcon /> : <ValveIcon />}
      title={thingTitle({ name: named?.name ?? t("shell:activity.gone"), number: event.number }, (number) =>
        t("valve.channel", { number }),
      )}
      detail={[t("shell:activity.commandState", { what, state }), ...reason, labels.actor(event.by)].join(
        " · ",
      )}
      at={event.at}
      to={named?.to}
      onGo={onGo}
    />
  );
}

function WateringLine({ event, named, onGo }: LineProps<WateringEvent, Thing>) {
  const { t } = useTranslation(["common", "shell"]);
  const labels = useLabels();
  const said = useWateringWords();
  const { watering } = event;
  const cause = watering.by?.nickname ?? t(`watering.cause.${watering.cause}`);
  const detail =
    watering.end === null
      ? [t("watering.running"), cause]
      : [
          t("shell:activity.watered", { length: said.length(watering, Date.parse(watering.end)) }),
          said.ending(watering, Date.parse(watering.end)),
          ...(watering.litres === null ? [] : [labels.litres(watering.litres)]),
          cause,
        ];
  return (
    <EventLine
      event={event}
      icon={<DropIcon />}
      title={named ? thingTitle(named, (number) => t("valve.channel", { number })) : t("shell:activity.gone")}
      detail={detail.join(" · ")}
      at={event.at}
      to={named?.to}
      onGo={onGo}
    />
  );
}

interface AlarmLineProps {
  event: AlarmEvent;
  named: Thing | null;
  onGo: () => void;
}

function AlarmLine({ event, named, onGo }: AlarmLineProps) {
  const { t } = useTranslation(["common", "shell"]);
  const labels = useLabels();
  const open = useOpenValves(event.alarm, useTimeWords(), IN_ONE_LINE);
  const { type, active, ack, count } = event.alarm;
  const alarm = labels.alarmType(type);
  const many = (type === "upstream-down" || type === "broker-down" || type === "farm-link") && active;
  const said = !active
    ? t("shell:activity.alarmOver", { alarm })
    : ack
      ? t("shell:activity.alarmSeen", { alarm, by: ack.by.nickname })
      : alarm;
  return (
    <EventLine
      event={event}
      icon={<TriangleAlertIcon />}
      title={named ? thingTitle(named, (number) => t("valve.channel", { number })) : t("shell:activity.farm")}
      detail={[
        said,
        ...(active && open !== null ? [open] : []),
        ...(many ? [t("shell:activity.alarmDevices", { count })] : []),
      ].join(" · ")}
      at={active ? beganAt(event.alarm) : event.at}
      to={named?.to}
      onGo={onGo}
    />
  );
}
