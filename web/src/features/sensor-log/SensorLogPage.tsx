import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { deviceName } from "../../farm/device-name.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLink, useLive, useShownQuality } from "../../live/hooks.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { BackIcon } from "../../ui/icon/icons.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { Badges } from "./Badges.tsx";
import { LogCard } from "./LogCard.tsx";
import { RangePicker } from "./RangePicker.tsx";
import { readChoice, writeChoice } from "./range.ts";
import { useLogData } from "./use-log-data.ts";
import "./sensor-log.css";

/** One sensor: its newest values, its past in charts, and the statistics of a range. */
export function SensorLogPage({ id }: { id: string }) {
  const { t } = useTranslation("sensor-log");
  const value = useLive("sensor", id);
  const starting = useLink((link) => link.screen.state === "starting");
  if (value) return <SensorLog id={id} value={value} />;
  if (starting) return null;
  return (
    <EmptyState scene={<EmptyField />} title={t("gone")} action={<Link to="/sensors">{t("toList")}</Link>} />
  );
}

function SensorLog({ id, value }: { id: string; value: SensorValue }) {
  const { t } = useTranslation(["sensor-log", "common"]);
  const labels = useLabels();
  const { zone } = useTimeWords();
  const [params, setParams] = useSearchParams();
  const quality = useShownQuality(value.quality);
  const ageMs = useAge(value.heardAt);
  const { deviceType } = value.info;
  const sample = value.reading;
  // A type that nobody knows is made of its first reading; a known one does not depend on it.
  const type = useTypeOnce(deviceType, sample);
  const search = params.toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(search)), [search]);
  const fields = useMemo(() => [...new Set(type.cards.flatMap((card) => card.fields))], [type]);
  const [box, boxWidth] = useWidth();
  // Cards of one measurement stand side by side where there is room.
  const columns =
    boxWidth >= TWO_COLUMNS_FROM && type.cards.length > 1 && fields.length === type.cards.length ? 2 : 1;
  const width = Math.floor(boxWidth / columns);
  const log = useLogData({ id, fields, choice, zone, width });
  const description = value.info.description?.trim();

  return (
    <div className="log">
      <PageHeading
        lead={
          <Link className="log__back" to="/sensors" aria-label={t("common:action.back")}>
            <BackIcon size={22} />
          </Link>
        }
        title={deviceName(value.info)}
        note={[labels.deviceType(deviceType), description].filter(Boolean).join(" · ")}
        actions={<QualityMark quality={quality} ageMs={ageMs} words />}
      />
      <Badges value={value} type={type} quality={quality} />
      <RangePicker
        choice={choice}
        onChoose={(next) => setParams(writeChoice(params, next), { replace: true })}
      />
      <div className="log__cards" data-columns={columns} ref={box}>
        {log.log.state === "loading" && <Skeleton height="22rem" />}
        {log.log.state === "failed" && (
          <ErrorNote
            action={
              <button type="button" className="log__retry" onClick={log.retry}>
                {t("common:action.retry")}
              </button>
            }
          >
            {t("common:chart.failed")}. {labels.error(log.log.code)}
          </ErrorNote>
        )}
        {log.log.state === "there" &&
          type.cards.map((card) => (
            <LogCard
              key={card.fields.join()}
              card={card}
              type={type}
              title={deviceName(value.info)}
              data={log.log.state === "there" ? log.log.data : { step: 1, buckets: {}, statistics: {} }}
              statistics={log.statistics}
              reading={value.reading}
              onMerge={log.onMerge}
              current={log.current}
            />
          ))}
      </div>
    </div>
  );
}

function useTypeOnce(deviceType: string, sample: SensorValue["reading"]): DeviceType {
  const made = useRef<DeviceType | null>(null);
  if (made.current?.type !== deviceType || (made.current.fields.length === 0 && sample)) {
    made.current = deviceTypeOf(deviceType, sample ?? {});
  }
  return made.current;
}

/** Width of the page's cards, CSS px, from which two stand beside each other. */
const TWO_COLUMNS_FROM = 1_000;

/** Width steps, CSS px: a small change of the window asks for no new buckets. */
const WIDTH_STEP = 120;

/** The width of an element, rounded down, so that there is at most one bucket per pixel. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setWidth(Math.max(WIDTH_STEP, Math.floor(element.clientWidth / WIDTH_STEP) * WIDTH_STEP));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
