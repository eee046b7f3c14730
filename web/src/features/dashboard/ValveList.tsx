import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { Card, CardNote } from "../../components/card.tsx";
import { ASIDE, TextLink } from "../../components/text-link.tsx";
import { Moisture } from "../../domain/reading/moisture.tsx";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { valveView, viewMarks } from "../../domain/valve/valve-view.ts";
import { valveWords } from "../../domain/valve/valve-words.ts";
import type { NextWatering, NextWaterings } from "../../domain/watering/next-watering.ts";
import { useWhen } from "../../domain/watering/use-when.ts";
import { useDrawnQuality, useFirstSync } from "../../live/hooks.ts";
import type { ValveNow } from "./valve-now.ts";

/** Most valves on this page; the others are one press away. */
const MOST = 10;

/** The valves now and next, the ones that matter first. */
export function ValveList({ valves, next }: { valves: readonly ValveNow[]; next: NextWaterings }) {
  const { t } = useTranslation("dashboard");
  // What is kept of the last visit are readings alone: no valves then says nothing about the farm.
  const known = useFirstSync() === "done";
  return (
    <Card
      title={t("valves")}
      flush
      aside={
        <TextLink to="/irrigation" look={ASIDE}>
          {t("all")}
        </TextLink>
      }
    >
      {valves.length === 0 ? (
        <CardNote>{t(known ? "noValves" : "valvesUnknown")}</CardNote>
      ) : (
        <ul className="valve-list">
          {valves.slice(0, MOST).map((valve) => (
            <li key={valve.channel.id}>
              <ValveLine valve={valve} next={next.get(valve.channel.id)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface ValveLineProps {
  valve: ValveNow;
  next: NextWatering | undefined;
}

function ValveLine({ valve: { box, channel }, next }: ValveLineProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, modes, moisture } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const view = valveView({ onoff, command, quality });
  const when = useWhen(channel.value, next, view);
  const { time } = useLastReport(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <Link
      className="valve-line"
      data-testid="valve-line"
      {...viewMarks(view)}
      to={`/sensors/cot/detail?cotId=${encodeURIComponent(box.id)}&ch=${number}`}
    >
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={36} />
      <span className="valve-line__text">
        <span className="valve-line__name">
          <ThingTitle name={channel.name} number={number} />
        </span>
        <span className="valve-line__state">
          {valveWords(t, view, time)} · {when}
        </span>
      </span>
      {moisture !== null && <Moisture value={moisture} quality={quality} />}
    </Link>
  );
}
