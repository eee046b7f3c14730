import "./alarm-foot.css";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm } from "../../api/alarms.ts";
import { useClient } from "../../api/hooks.ts";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { IN_ONE_LINE, useOpenValves } from "../../domain/alarm/open-valves.ts";
import { beganAt, isUrgent, useAlarmNews } from "../../domain/alarm/present-alarms.ts";
import { useThing } from "../../domain/farm/use-names.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { useWall } from "../wall-context.ts";

/**
 * Show the worst unacknowledged alarm under every page; nothing without one.
 *
 * @param props.others number of urgent alarms of other accounts
 */
export function AlarmFoot({ others = 0 }: { others?: number }) {
  const news = useAlarmNews();
  if (news === null) return null;
  return <Foot alarm={news.worst} more={news.more + others} />;
}

function Foot({ alarm, more }: { alarm: Alarm; more: number }) {
  const { t } = useTranslation(["wall", "common"]);
  const { texts, settings } = useWall();
  const { alarmType } = useLabels();
  const age = useAge(beganAt(alarm));
  const thing = useThing(alarm);
  const open = useOpenValves(alarm, texts, IN_ONE_LINE);
  return (
    <FootFrame
      alarm={alarm}
      since={beganAt(alarm)}
      ageMs={age ?? 0}
      more={more}
      action={
        settings.scope === "ack" && alarm.ack === null && <AcknowledgeButton key={alarm.id} id={alarm.id} />
      }
    >
      {thing && (
        <strong>
          <FarmLabel about={alarm.key} />
          <ThingTitle {...thing} />
        </strong>
      )}
      <span>{alarmType(alarm.type)}</span>
      {alarm.active && open !== null && <span>{open}</span>}
      {!alarm.active && <span>{t("common:alarm.over")}</span>}
    </FootFrame>
  );
}

interface FootFrameProps {
  readonly alarm: Alarm;
  readonly since: string;
  readonly ageMs: number;
  /** Number of further alarms. */
  readonly more: number;
  readonly action?: ReactNode;
  /** Texts of the alarm. */
  readonly children: ReactNode;
}

/** Frame of the foot: badge, texts, time and age, the number of further alarms, and an action. */
export function FootFrame({ alarm, since, ageMs, more, action, children }: FootFrameProps) {
  const { t } = useTranslation("wall");
  const { texts } = useWall();
  const { shortAge } = useLabels();
  const urgent = isUrgent(alarm);
  return (
    <div
      className="alarm-foot"
      data-testid="alarm-foot"
      data-priority={alarm.priority}
      data-urgent={urgent || undefined}
      role={urgent ? "alert" : "status"}
    >
      <AlarmBadge priority={alarm.priority} pulsing={urgent} />
      <p className="alarm-foot__text">{children}</p>
      <p className="alarm-foot__since">
        <span>
          {texts.time(Date.parse(since))} · {shortAge(ageMs)}
        </span>
        {more > 0 && <span className="alarm-foot__more">{t("alarms.waiting", { count: more })}</span>}
      </p>
      {action}
    </div>
  );
}

/** Acknowledge an alarm: the only action of a screen, if its pairing allows it. */
export function AcknowledgeButton({ id }: { id: string }) {
  const { t } = useTranslation("wall");
  const client = useClient();
  const [state, setState] = useState<"idle" | "sending" | "failed">("idle");
  const press = async () => {
    setState("sending");
    try {
      await acknowledgeAlarm(client, id, "");
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      {state === "failed" && <span role="alert">{t("alarms.failed")}</span>}
      <button
        type="button"
        className="wall-button"
        disabled={state === "sending"}
        onClick={() => void press()}
      >
        {t("alarms.acknowledge")}
      </button>
    </>
  );
}
