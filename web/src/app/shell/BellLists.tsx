import { Badge, Box, Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import type { Notification } from "@mulkko/shared/entities/notification";
import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CheckIcon, ClockIcon, TriangleAlertIcon, UnplugIcon } from "lucide-react";
import { type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { errorCode } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { useClaim } from "../../api/knowledge.ts";
import { readNotifications } from "../../api/notifications.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { DropIcon, ValveIcon } from "../../components/icons.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { IN_ONE_LINE, useOpenValveTexts } from "../../domain/alarm/open-valves.ts";
import { beganAt } from "../../domain/alarm/present-alarms.ts";
import { type Names, useNames } from "../../domain/farm/use-names.ts";
import { DEFAULT_ZONE, useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useWateringTexts } from "../../domain/watering/watering-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import {
  type LiveFarm,
  useAge,
  useEvents,
  useLink,
  useLiveSelection,
  useServerNow,
  useServerTime,
} from "../../live/hooks.ts";
import { type ActivityEvent, activityLines, isNoteworthy } from "./activity.ts";
import { isNotificationOver, splitNotification } from "./notification-end.ts";
import {
  afterReading,
  countNew,
  isUnread,
  NOTIFICATIONS,
  readableIds,
  SeenNotice,
  useLoadedNotifications,
} from "./use-notifications.ts";

/** Viewing time after which an unread notification counts as read, ms. */
export const READ_AFTER_MS = 3_000;

/** List the farm API's notifications in its order, newest first. */
export function NotificationList() {
  const { t } = useTranslation("shell");
  const labels = useLabels();
  const { data: notifications, error } = useLoadedNotifications();
  const claim = useClaim({ data: notifications, error });
  if (error !== null) return <ErrorNote>{labels.error(errorCode(error))}</ErrorNote>;
  if (notifications === null)
    return (
      <Stack gap="3" px="4" py="6">
        <Skeleton height="2.5rem" />
        <Skeleton height="2.5rem" />
      </Stack>
    );
  if (notifications.length === 0) return <BellNone>{claim(t("bell.empty"))}</BellNone>;
  return <Lines notifications={notifications} />;
}

/** List notifications and report them as read after a while; until the list reopens they stay marked new. */
function Lines({ notifications }: { notifications: readonly Notification[] }) {
  const { t } = useTranslation("shell");
  const labels = useLabels();
  const queries = useQueryClient();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const mayRead = useExtension("noti-read") && !readOnly;
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

  const readAll = useMutation({
    mutationFn: (read: readonly number[]) => readNotifications(client, read),
    onSuccess: (_, read) =>
      queries.setQueryData<readonly Notification[]>(
        NOTIFICATIONS,
        (list) => list && afterReading(list, read),
      ),
  });
  return (
    <>
      {readAll.error && <ErrorNote>{labels.error(errorCode(readAll.error))}</ErrorNote>}
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
          onClick={() => readAll.mutate(ids)}
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

const DEVICES = ["sensor", "controller"] as const;

function NotificationLine({ notification }: { notification: Notification }) {
  const { t } = useTranslation(["shell", "common"]);
  const { notificationType } = useLabels();
  const zone = useLink((link) => link.apiTimezone) ?? DEFAULT_ZONE;
  const serverNow = useServerNow();
  const created = newestTime(notification.createdDate, zoneNamed(zone), { now: serverNow() });
  const minutes = useServerTime((now) => (created === null ? 0 : Math.floor((now - created) / 60_000)));
  const unread = isUnread(notification);
  const isOver = useLiveSelection(
    DEVICES,
    useCallback(
      (farm: LiveFarm) => created !== null && isNotificationOver(notification, created, farm),
      [notification, created],
    ),
  );
  const { device, text } = useLiveSelection(
    DEVICES,
    useCallback((farm: LiveFarm) => splitNotification(notification.message, farm), [notification]),
    shallow,
  );
  const type = notificationType(notification.type);
  return (
    <BellLine
      title={
        <>
          {[...(device === null ? [] : [device]), type, ...(isOver ? [t("common:alarm.over")] : [])].join(
            " · ",
          )}
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
      detail={text}
      age={minutes * 60_000}
      noteworthy={unread && !isOver}
    />
  );
}

interface BellLineProps {
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
function BellLine({ icon, title, detail, age, noteworthy, to, onGo }: BellLineProps) {
  const texts = useLabels();
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
        {texts.age(age)}
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
function BellNone({ children }: { children: ReactNode }) {
  return (
    <Text px="4" py="6" color="fg.muted" textAlign="center" data-testid="bell-empty">
      {children}
    </Text>
  );
}

/** The bell's two lists: the farm API's notifications, first if some are new, and the events. */
export function BellLists({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const { data, error } = useLoadedNotifications();
  const seen = useContext(SeenNotice);
  const fresh = data === null || error !== null ? 0 : countNew(data, seen);
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
      <Box
        position="relative"
        maxH="min(450px, 70dvh)"
        overflowY="auto"
        overscrollBehavior="contain"
        data-testid="bell-scroll"
      >
        {list === "activity" ? <ActivityList onGo={onClose} /> : <NotificationList />}
      </Box>
    </>
  );
}

/** List flips, commands and waterings live, newest first. */
function ActivityList({ onGo }: { onGo: () => void }) {
  const { t } = useTranslation("shell");
  const events = useEvents();
  const names = useNames();
  const claim = useClaim();
  const lines = useMemo(() => activityLines(events.map(({ event }) => event)), [events]);
  if (lines.length === 0) return <BellNone>{claim(t("bell.noActivity"))}</BellNone>;
  return (
    <ul aria-label={t("bell.activity")}>
      {lines.map(({ id, event }) => (
        <Line key={id} event={event} names={names} onGo={onGo} />
      ))}
    </ul>
  );
}

function Line({ event, names, onGo }: { event: ActivityEvent; names: Names; onGo: () => void }) {
  const { t } = useTranslation(["common", "shell"]);
  const labels = useLabels();
  const said = useWateringTexts();
  const openTexts = useOpenValveTexts(useTimeTexts());
  const gone = t("shell:activity.gone");
  const lineOf = () => {
    switch (event.kind) {
      case "flip": {
        const named = names.ofKey(event.key);
        return {
          icon: event.online ? <ClockIcon /> : <UnplugIcon />,
          title: named?.name ?? gone,
          details: [t(event.online ? "shell:activity.online" : "shell:activity.offline")],
          // A silence counts from its last reading, as its alarm does.
          at: event.online ? event.at : (event.last ?? event.at),
          to: named?.to,
        };
      }
      case "command": {
        const { target, reason, number, at, by } = event;
        const named = names.ofCommand(event);
        // A close of the relay itself is named by its cause: there is no person to name.
        const isAutomatic = by.id === RELAY_ACTOR.id && target === 2;
        const what =
          target === null
            ? t("shell:activity.command")
            : isAutomatic
              ? labels.actor(by)
              : t(target === 1 ? "shell:activity.opening" : "shell:activity.closing");
        const because = reason === undefined ? null : labels.error(reason);
        // With a reason no later command replaced this one: the reason is what became of it.
        const isReplaced = event.state === "superseded" && because !== null;
        return {
          icon: isNoteworthy(event) ? <TriangleAlertIcon /> : <ValveIcon />,
          title: labels.thing({ name: named?.name ?? gone, number }),
          details: [
            isReplaced
              ? what
              : t("shell:activity.commandState", { what, state: t(`command.state.${event.state}`) }),
            ...(because === null ? [] : [because]),
            ...(isAutomatic ? [] : [labels.actor(by)]),
            ...(event.administrator
              ? [t("command.byAdministrator", { reason: event.administrator.reason })]
              : []),
          ],
          at,
          to: named?.to,
        };
      }
      case "watering": {
        const { watering, at } = event;
        const { end } = watering;
        const litres = said.litres(watering);
        const named = names.ofWatering(watering);
        const cause = watering.by?.nickname ?? t(`watering.cause.${watering.cause}`);
        return {
          icon: <DropIcon />,
          title: named ? labels.thing(named) : gone,
          details:
            end === null
              ? [t("watering.running"), cause]
              : [
                  t("shell:activity.watered", { length: said.length(watering, Date.parse(end)) }),
                  said.ending(watering, Date.parse(end)),
                  ...(litres === null ? [] : [litres]),
                  cause,
                ],
          at,
          to: named?.to,
        };
      }
      case "alarm": {
        const { type, active, ack, count } = event.alarm;
        const named = names.ofThing(event.alarm);
        const open = openTexts(event.alarm, names, IN_ONE_LINE);
        const alarm = labels.alarmType(type);
        const many = active && (type === "upstream-down" || type === "broker-down" || type === "farm-link");
        const state = !active
          ? t("shell:activity.alarmOver", { alarm })
          : ack
            ? t("shell:activity.alarmSeen", { alarm, by: ack.by.nickname })
            : alarm;
        return {
          icon: <TriangleAlertIcon />,
          title: named ? labels.thing(named) : t("shell:activity.farm"),
          details: [
            state,
            ...(active && open !== null ? [open] : []),
            ...(many ? [t("shell:activity.alarmDevices", { count })] : []),
          ],
          at: active ? beganAt(event.alarm) : event.at,
          to: named?.to,
        };
      }
    }
  };
  const { at, details, ...line } = lineOf();
  const age = useAge(at) ?? 0;
  return (
    <BellLine {...line} detail={details.join(" · ")} age={age} noteworthy={isNoteworthy(event)} onGo={onGo} />
  );
}
