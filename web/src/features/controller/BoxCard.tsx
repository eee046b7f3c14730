import { Link } from "react-router-dom";
import { useLastReport } from "../../farm/last-report.ts";
import type { NextWatering, NextWaterings } from "../../farm/next-watering.ts";
import { useWhen } from "../../farm/use-when.ts";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { nameInBox } from "../../farm/valve-title.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAge, useDrawnQuality, useFirstSync, useLive } from "../../live/hooks.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { SettingsIcon, ValveIcon } from "../../ui/icon/icons.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../../ui/reading/reading-value.tsx";
import { ThingTitle } from "../../ui/valve/thing-title.tsx";
import { ValveSymbol } from "../../ui/valve/valve-symbol.tsx";
import { valveView, viewMarks } from "../../ui/valve/valve-view.ts";
import { valveWords } from "../../ui/valve/valve-words.ts";
import { editPathOf, panelPathOf } from "./box-paths.ts";

/** One controller with a cell per channel. */
export function BoxCard({ box, next }: { box: ValveBox; next: NextWaterings }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const quality = useDrawnQuality(box);
  const ageMs = useAge(box.heardAt);
  const known = useFirstSync() === "done";
  return (
    <article className="box-card" data-quality={quality ?? "never"}>
      <div className="box-card__head">
        <Link className="box-card__link" to={panelPathOf(box)}>
          <BoxPhoto box={box} />
          <span className="box-card__title">
            <span className="box-card__name">{box.name}</span>
            <span className="box-card__type">
              {labels.deviceType(box.type)} · {box.serial}
            </span>
            <BoxDescription box={box} />
          </span>
          <QualityMark quality={quality} ageMs={ageMs} />
        </Link>
        <OwnLink
          className="icon-button"
          to={editPathOf(box)}
          aria-label={t("edit", { name: box.name })}
          title={t("edit", { name: box.name })}
        >
          <SettingsIcon />
        </OwnLink>
      </div>
      {box.channels.length === 0 ? (
        <p className="box-card__none">{t(known ? "noChannels" : "channelsUnknown")}</p>
      ) : (
        <ul className="box-card__channels">
          {box.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelCell box={box} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** What a person has written and shown of it; controllers and COT sensors have both. */
function useBoxInfo({ id, form }: ValveBox) {
  return useLive(form, id)?.info;
}

function BoxPhoto({ box }: { box: ValveBox }) {
  const path = useBoxInfo(box)?.imagePath;
  return (
    <span className="box-card__photo">{path ? <img src={path} alt="" loading="lazy" /> : <ValveIcon />}</span>
  );
}

function BoxDescription({ box }: { box: ValveBox }) {
  const description = useBoxInfo(box)?.description?.trim();
  return description ? <span className="box-card__type">{description}</span> : null;
}

interface ChannelCellProps {
  box: ValveBox;
  channel: BoxChannel;
  next: NextWatering | undefined;
}

function ChannelCell({ box, channel, next }: ChannelCellProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, moisture, modes } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const view = valveView({ onoff, command, quality });
  const when = useWhen(channel.value, next, view);
  const { time } = useLastReport(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <Link className="channel-cell" to={panelPathOf(box, number)} {...viewMarks(view)}>
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={40} />
      <span className="channel-cell__text">
        <b className="channel-cell__title">
          <ThingTitle name={nameInBox(box, channel)} number={number} />
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
