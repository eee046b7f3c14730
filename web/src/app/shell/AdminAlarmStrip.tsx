import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { useAccount, useReadOnly } from "../../api/hooks.ts";
import { ALARMS_PATH, alarmNews, inOrder, useAlarmNews } from "../../domain/alarm/present-alarms.ts";
import { useFleetSelection, useUrgentWatch } from "../../domain/fleet/hooks.ts";
import { urgentCount } from "../../domain/fleet/urgent.ts";
import { useFleetAlarm } from "../../domain/fleet/use-fleet-alarm.ts";
import { ADMIN_PATH } from "../page.ts";
import { AlarmStrip, Announced, Strip } from "./AlarmStrip.tsx";

const URGENT = ["alarm", "fleet"] as const;

/**
 * Alarm strip of an administrator (WARN-1): the worst alarm of all accounts, or of the shown farm. It loads
 * the fleet's alarms only while there are any.
 *
 * @param props.onOther called when it begins or ends to show another account's alarm
 */
export function AdminAlarmStrip({ onOther }: { onOther: (shown: boolean) => void }) {
  const { pathname } = useLocation();
  const shown = `${useAccount().id}`;
  const readOnly = useReadOnly();
  const own = useAlarmNews();
  const alarms = useUrgentWatch(pathname.startsWith(ADMIN_PATH));
  const { p1, p2 } = useFleetSelection(URGENT, urgentCount, shallow);
  // The shown farm's alarms arrive with its own stream.
  const news = alarmNews(alarms.filter(({ account }) => `${account}` !== shown));
  if (news === null) return <AlarmStrip />;
  const others = Math.max(news.more + 1, p1 + p2 - (alarms.length - news.more - 1));
  if (own !== null && inOrder([own.worst, news.worst])[0] === own.worst)
    return <AlarmStrip others={others} />;
  const more = others - 1 + (own === null ? 0 : own.more + 1);
  // The page that lists the alarms needs no strip; the alarm is announced all the same.
  const isHidden = pathname === ALARMS_PATH && !readOnly;
  return (
    <OtherStrip
      alarm={news.worst}
      {...{ more, onOther }}
      to={isHidden ? null : readOnly ? ADMIN_PATH : ALARMS_PATH}
    />
  );
}

interface OtherStripProps {
  readonly alarm: Parameters<typeof useFleetAlarm>[0];
  readonly more: number;
  /** Address of the alarms; null for no strip. */
  readonly to: string | null;
  readonly onOther: (shown: boolean) => void;
}

function OtherStrip({ alarm, more, to, onOther }: OtherStripProps) {
  useEffect(() => {
    onOther(true);
    return () => onOther(false);
  }, [onOther]);
  const { where, subject, type, owner } = useFleetAlarm(alarm);
  const texts = [where, [subject, type, owner.name].join(" · ")];
  return (
    <>
      <Announced alarm={alarm} texts={texts} />
      {to !== null && <Strip alarm={alarm} texts={texts} more={more} to={to} />}
    </>
  );
}
