import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useDrawnQuality, useLivePart } from "../../live/hooks.ts";
import { LiveReading } from "../reading/LiveReading.tsx";
import { bandOf, Moisture } from "../reading/range-band.tsx";
import { readingNumber } from "../reading/reading.ts";
import { useLastReport } from "../valve/last-report.ts";
import { ThingTitle } from "../valve/thing-title.tsx";
import { useValveView } from "../valve/unanswered.ts";
import { ValveSymbol } from "../valve/valve-symbol.tsx";
import { valveTexts } from "../valve/valve-texts.ts";
import { viewMarks } from "../valve/valve-view.ts";
import type { NextWatering } from "./next-watering.ts";
import { useWhen } from "./use-when.ts";
import "./valve-row.css";

const LEVEL = { ...FIELDS.l, name: "l" };
const levelOf = (sensor: SensorValue | undefined) => readingNumber(sensor?.reading, LEVEL.name);

/** Water level of a paddy, which has no moisture; nothing for a sensor that measures none. */
function WaterLevel({ id }: { id: string }) {
  const isMeasured = useLivePart("sensor", id, levelOf) !== null;
  return isMeasured && <LiveReading id={id} field={LEVEL} where="card" size="body" />;
}

export interface ValveRowProps {
  /** Page of the valve. */
  readonly to: string;
  readonly channel: ChannelValue;
  /** The valve's name; null if its controller's name is enough. */
  readonly name: string | null;
  /** Name of the controller for screen readers, where it does not stand beside the row. */
  readonly unitName?: string;
  readonly next: NextWatering | undefined;
  readonly tabIndex?: number | undefined;
  readonly testId: string;
}

/** One channel as it is now: its valve, its soil, the mode in charge, and when it closes or opens next. */
export function ValveRow({ to, channel, name, unitName, next, tabIndex, testId }: ValveRowProps) {
  const { t } = useTranslation("common");
  const { number, moisture, modes, sensorIds } = channel;
  const quality = useDrawnQuality(channel);
  const view = useValveView(channel);
  const when = useWhen(channel, next, view);
  const { time } = useLastReport(channel);
  const mode = modes?.active ?? "none";
  return (
    <Link className="valve-row" data-testid={testId} to={to} {...viewMarks(view)} tabIndex={tabIndex}>
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={36} />
      <span className="valve-row__text">
        {unitName !== undefined && <span className="visually-hidden">{unitName} </span>}
        <b>
          <ThingTitle name={name} number={number} />
        </b>
        <span className="valve-row__state">
          {valveTexts(t, view, time)} · <span className="valve-row__when">{when}</span>
        </span>
      </span>
      {moisture !== null ? (
        <Moisture value={moisture} quality={quality} band={bandOf(modes)} />
      ) : (
        sensorIds[0] !== undefined && <WaterLevel id={`${sensorIds[0]}`} />
      )}
    </Link>
  );
}
