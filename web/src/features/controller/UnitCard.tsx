import { Settings2Icon } from "lucide-react";
import { Link } from "react-router-dom";
import { IconLink } from "../../components/icon-button.tsx";
import { ValveIcon } from "../../components/icons.tsx";
import { useLastReport } from "../../farm/last-report.ts";
import type { NextWatering, NextWaterings } from "../../farm/next-watering.ts";
import { useWhen } from "../../farm/use-when.ts";
import { nameInUnit } from "../../farm/valve-title.ts";
import type { UnitChannel, ValveUnit } from "../../farm/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { Photo } from "../../ui/photo/photo.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../../ui/reading/reading-value.tsx";
import { ThingTitle } from "../../ui/valve/thing-title.tsx";
import { ValveSymbol } from "../../ui/valve/valve-symbol.tsx";
import { valveView, viewMarks } from "../../ui/valve/valve-view.ts";
import { valveWords } from "../../ui/valve/valve-words.ts";
import { NoChannels } from "./NoChannels.tsx";
import { editPathOf, panelPathOf } from "./unit-paths.ts";

/** One controller with a cell for each channel. */
export function UnitCard({ unit, next }: { unit: ValveUnit; next: NextWaterings }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const quality = useDrawnQuality(unit);
  const ageMs = useAge(unit.heardAt);
  return (
    <article className="box-card" data-quality={quality ?? "never"}>
      <div className="box-card__head">
        <Link className="box-card__link" to={panelPathOf(unit)}>
          <UnitPhoto unit={unit} />
          <span className="box-card__title">
            <span className="box-card__name">{unit.name}</span>
            <span className="box-card__type">
              {labels.deviceType(unit.type)} · {unit.serial}
            </span>
            <UnitDescription unit={unit} />
          </span>
          <QualityMark quality={quality} ageMs={ageMs} />
        </Link>
        <IconLink component={OwnLink} to={editPathOf(unit)} label={t("edit", { name: unit.name })}>
          <Settings2Icon />
        </IconLink>
      </div>
      {unit.channels.length === 0 ? (
        <NoChannels unit={unit} />
      ) : (
        <ul className="box-card__channels">
          {unit.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelCell unit={unit} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** Return the fields that the user entered for it; controllers and COT sensors have both. */
function useUnitInfo({ id, form }: ValveUnit) {
  return useLive(form, id)?.info;
}

function UnitPhoto({ unit }: { unit: ValveUnit }) {
  const path = useUnitInfo(unit)?.imagePath;
  return (
    <span className="box-card__photo">
      <Photo path={path} icon={<ValveIcon />} lazy />
    </span>
  );
}

function UnitDescription({ unit }: { unit: ValveUnit }) {
  const description = useUnitInfo(unit)?.description?.trim();
  return description ? <span className="box-card__type">{description}</span> : null;
}

interface ChannelCellProps {
  unit: ValveUnit;
  channel: UnitChannel;
  next: NextWatering | undefined;
}

function ChannelCell({ unit, channel, next }: ChannelCellProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, moisture, modes } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const view = valveView({ onoff, command, quality });
  const when = useWhen(channel.value, next, view);
  const { time } = useLastReport(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <Link
      className="channel-cell"
      data-testid="channel-cell"
      to={panelPathOf(unit, number)}
      {...viewMarks(view)}
    >
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={40} />
      <span className="channel-cell__text">
        <b className="channel-cell__title">
          <ThingTitle name={nameInUnit(unit, channel)} number={number} />
        </b>
        <span className="channel-cell__state">
          {valveWords(t, view, time)} · <span className="channel-cell__when">{when}</span>
        </span>
      </span>
      {moisture !== null && (
        <ReadingValue value={moisture} format={{ decimals: 1 }} unit="%" quality={quality} size="body" />
      )}
    </Link>
  );
}
