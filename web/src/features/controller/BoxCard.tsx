import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { clockText, secondsLeft } from "../../farm/countdown.ts";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useServerTime, useShownQuality } from "../../live/hooks.ts";
import { ForwardIcon } from "../../ui/icon/icons.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../../ui/reading/reading-value.tsx";
import { ValveSymbol } from "../../ui/valve/valve-symbol.tsx";
import { valveView } from "../../ui/valve/valve-view.ts";
import { valveWords } from "../../ui/valve/valve-words.ts";

const panelOf = (box: ValveBox, number?: number) =>
  `/sensors/cot/detail?cotId=${encodeURIComponent(box.id)}${number === undefined ? "" : `&ch=${number}`}`;

/** One controller with a cell per channel. */
export function BoxCard({ box }: { box: ValveBox }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const quality = useShownQuality(box.quality);
  const ageMs = useAge(box.heardAt);
  return (
    <article className="box-card" data-quality={quality ?? "never"}>
      <Link className="box-card__head" to={panelOf(box)}>
        <span className="box-card__title">
          <span className="box-card__name">{box.name}</span>
          <span className="box-card__type">
            {labels.deviceType(box.type)} · {box.serial}
          </span>
        </span>
        <QualityMark quality={quality} ageMs={ageMs} />
        <ForwardIcon />
      </Link>
      {box.channels.length === 0 ? (
        <p className="box-card__none">{t("noChannels")}</p>
      ) : (
        <ul className="box-card__channels">
          {box.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelCell box={box} channel={channel} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function ChannelCell({ box, channel }: { box: ValveBox; channel: BoxChannel }) {
  const { t } = useTranslation("common");
  const { number, onoff, command, moisture, modes, runUntil } = channel.value;
  const quality = useShownQuality(channel.value.quality);
  const view = valveView({ onoff, command, quality });
  const left = useServerTime((now) => (onoff === 1 ? secondsLeft(runUntil, now) : null));
  const mode = modes?.active ?? "none";
  const next = mode === "reservation" ? modes?.reservation?.onTime : null;
  const when =
    left !== null
      ? t("duration.left", { time: clockText(left) })
      : next
        ? t("valve.next", { time: next })
        : t(`mode.${mode}`);
  return (
    <Link className="channel-cell" to={panelOf(box, number)} data-kind={view.kind}>
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={40} />
      <span className="channel-cell__text">
        <span className="channel-cell__state">
          <b>{t("valve.channel", { number })}</b> {valveWords(t, view)}
        </span>
        <span className="channel-cell__when">{when}</span>
      </span>
      {moisture !== null && (
        <ReadingValue value={moisture} format={{ decimals: 1 }} unit="%" quality={quality} size="body" />
      )}
    </Link>
  );
}
