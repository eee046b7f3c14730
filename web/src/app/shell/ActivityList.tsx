import type { AlarmEvent, CommandEvent, FlipEvent, WateringEvent } from "@mulkko/shared/live/events";
import { ClockIcon, TriangleAlertIcon, UnplugIcon } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DropIcon, ValveIcon } from "../../components/icons.tsx";
import { IN_ONE_LINE, useOpenValves } from "../../domain/alarm/open-valves.ts";
import { beganAt } from "../../domain/alarm/present-alarms.ts";
import { type Named, type Names, type Thing, thingTitle, useNames } from "../../domain/farm/use-names.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useWateringWords } from "../../domain/watering/watering-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useEvents } from "../../live/hooks.ts";
import { type ActivityEvent, activityLines, isNoteworthy } from "./activity.ts";
import { BellLine, type BellLineProps, BellNone } from "./bell-line.tsx";

/** List flips, commands and waterings live, newest first. */
export function ActivityList({ onGo }: { onGo: () => void }) {
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
