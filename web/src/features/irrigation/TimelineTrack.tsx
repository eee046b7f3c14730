import type { UntimedWatering } from "@mulkko/shared/rest/waterings";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TimeWords } from "../../domain/time/time-words.ts";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { useDrawnQuality, useLive } from "../../live/hooks.ts";
import { type LabelSide, labelSide, roomBehind, type TimelineBar, type TimelineRow } from "./timeline.ts";

export const percent = (part: number): string => `${part * 100}%`;

export interface TrackProps {
  row: TimelineRow;
  words: TimeWords;
  /** The part of the picture behind a bar from which on its end is written there too. */
  roomy: number;
  /** Background behind the bars. */
  children: ReactNode;
}

/** A channel's day; a press writes under it from when to when each of its bars reaches. */
export function Track({ row: { channelId, bars, untimed }, words, roomy, children }: TrackProps) {
  const channel = useLive("channel", channelId);
  const quality = useDrawnQuality(channel);
  const doubt = quality === "fresh" ? null : (`quality.${quality ?? "never"}` as const);
  const sayBar = useBarWords(words, doubt, useLastReport(channel).sentence);
  const [told, setTold] = useState(false);
  const rooms = roomBehind(bars);
  const content = (
    <>
      {children}
      {bars.map((bar, index) => (
        <Bar
          key={bar.id}
          bar={bar}
          doubted={bar.kind === "running" && doubt !== null}
          words={sayBar(bar)}
          whole={(rooms[index] ?? 0) >= roomy}
          side={labelSide(bar, roomy)}
        />
      ))}
      {untimed && <UntimedChip untimed={untimed} />}
    </>
  );
  if (bars.length === 0) return <div className="timeline__track">{content}</div>;
  return (
    <>
      <button type="button" className="timeline__track" aria-expanded={told} onClick={() => setTold(!told)}>
        {content}
      </button>
      {told && (
        <ul className="timeline__told">
          {bars.map((bar) => (
            <li key={bar.id}>{sayBar(bar).said}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A bar in words. */
interface BarWords {
  readonly start: string;
  /** From when to when. */
  readonly time: string;
  readonly overlap: string | null;
  /** All of it. */
  readonly said: string;
}

/** @param lastReport in words; it stands where a bar would otherwise claim that water runs now */
function useBarWords(
  words: TimeWords,
  doubt: `quality.${DrawnQuality | "never"}` | null,
  lastReport: string | null,
): (bar: TimelineBar) => BarWords {
  const { t } = useTranslation(["irrigation", "common"]);
  return (bar) => {
    const kind =
      bar.kind !== "running"
        ? t(`common:mode.${bar.kind}`)
        : doubt === null
          ? t("common:watering.running")
          : [t(`common:${doubt}`), ...(lastReport === null ? [] : [lastReport])].join(" · ");
    const start = words.time(bar.start);
    const time = bar.end === null ? t("timeline.since", { start }) : `${start}–${words.time(bar.end)}`;
    const overlap = bar.overlaps > 0 ? t("timeline.overlap", { count: bar.overlaps + 1 }) : null;
    return { start, time, overlap, said: [kind, time, ...(overlap ? [overlap] : [])].join(" · ") };
  };
}

interface BarProps {
  bar: TimelineBar;
  /** It claims that water runs, and the last report that says so is not live. */
  doubted: boolean;
  words: BarWords;
  /** Its label says its end too. */
  whole: boolean;
  side: LabelSide;
}

/** A bar, which says all of itself to those who do not see where it stands. */
function Bar({ bar, doubted, words, whole, side }: BarProps) {
  const { t } = useTranslation("common");
  const { start, time, overlap, said } = words;
  return (
    <span
      className="timeline__bar"
      data-kind={bar.kind}
      data-doubted={doubted || undefined}
      data-open-end={bar.end === null || undefined}
      style={{ left: percent(bar.left), width: percent(bar.width) }}
      title={said}
    >
      <span className="visually-hidden">{said}</span>
      {bar.hatched.map((part) => (
        <i
          key={part.left}
          className="timeline__overlap"
          style={{ left: percent(part.left), width: percent(part.width) }}
        />
      ))}
      <span className="timeline__label" data-side={side} aria-hidden>
        {bar.kind !== "running" && <b>{t(`mode.${bar.kind}`)}</b>} {whole ? time : start}
        {overlap && <em> {overlap}</em>}
      </span>
    </span>
  );
}

/** Explain why the times of a mode in charge are unknown. */
function UntimedChip({ untimed }: { untimed: UntimedWatering }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const mode = t(`common:mode.${untimed.mode}`);
  const why =
    untimed.reason === "incomplete"
      ? untimed.lack === null
        ? t("timeline.incomplete")
        : t(`common:lacks.${untimed.lack}`)
      : t(`timeline.${untimed.reason}`);
  return (
    <span className="timeline__chip" data-reason={untimed.reason}>
      {mode} · {why}
    </span>
  );
}
