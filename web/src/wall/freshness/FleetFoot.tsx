import type { Alarm } from "@mulkko/shared/live/alarm";
import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { useEffect } from "react";
import { shallow } from "zustand/shallow";
import { alarmNews, inOrder, isUrgent, useAlarmNews } from "../../domain/alarm/present-alarms.ts";
import { useFleetSelection, useUrgentWatch } from "../../domain/fleet/hooks.ts";
import { urgentCount } from "../../domain/fleet/urgent.ts";
import { useFleetAlarm } from "../../domain/fleet/use-fleet-alarm.ts";
import { AlarmFoot, FootFrame } from "./AlarmFoot.tsx";

const URGENT = ["alarm", "fleet"] as const;

interface FleetFootProps {
  /** The screen's account: its own alarms arrive with its farm. */
  readonly account: string;
  /** True while the shown page needs the whole fleet anyway. */
  readonly whole: boolean;
  /** Called with the most urgent alarm of another account; null without any. Must be a stable function. */
  readonly onUrgent: (alarm: Alarm | null) => void;
}

/** Foot of an administrator's screen (WARN-7): the worst alarm of all accounts, or of its own farm. */
export function FleetFoot({ account, whole, onUrgent }: FleetFootProps) {
  const own = useAlarmNews();
  const alarms = useUrgentWatch(whole);
  const { p1, p2 } = useFleetSelection(URGENT, urgentCount, shallow);
  const news = alarmNews(alarms.filter((alarm) => `${alarm.account}` !== account));
  const worst = news?.worst ?? null;
  const urgent = worst !== null && isUrgent(worst) ? worst : null;
  useEffect(() => onUrgent(urgent), [urgent, onUrgent]);
  if (news === null) return <AlarmFoot />;
  const others = Math.max(news.more + 1, p1 + p2 - (alarms.length - news.more - 1));
  if (own !== null && inOrder([own.worst, news.worst])[0] === own.worst) return <AlarmFoot others={others} />;
  return <Foot alarm={news.worst} more={others - 1 + (own === null ? 0 : own.more + 1)} />;
}

function Foot({ alarm, more }: { alarm: FleetAlarmValue; more: number }) {
  const { where, subject, type, owner, since, ageMs } = useFleetAlarm(alarm);
  return (
    <FootFrame alarm={alarm} since={new Date(since).toISOString()} ageMs={ageMs} more={more}>
      <strong>{where}</strong>
      <span>{subject}</span>
      <span>{type}</span>
      <span>{owner.name}</span>
      {owner.phone !== null && <span className="alarm-foot__phone">{owner.phone}</span>}
    </FootFrame>
  );
}
