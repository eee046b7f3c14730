import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import type { ValveBox } from "../../farm/valve-boxes.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLink, useShownQuality } from "../../live/hooks.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { BackIcon } from "../../ui/icon/icons.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { ChannelChip } from "../../ui/valve/channel-chip.tsx";
import { valveView } from "../../ui/valve/valve-view.ts";
import { ChannelPanel } from "./ChannelPanel.tsx";
import { SignalBars } from "./SignalBars.tsx";
import { useBox } from "./use-boxes.ts";
import "./panel.css";

/** One controller: its channels, and the valve of the chosen one. `cotId` and `ch` stand in the address. */
export function PanelPage() {
  const { t } = useTranslation(["controller", "common"]);
  const [params] = useSearchParams();
  const id = params.get("cotId");
  const box = useBox(id ?? "");
  const starting = useLink((link) => link.screen.state === "starting");
  if (id === null) return <Navigate to="/sensors/cot" replace />;
  if (box) return <BoxPanel box={box} />;
  if (starting) return null;
  return (
    <EmptyState
      scene={<EmptyField />}
      title={t("gone")}
      action={<Link to="/irrigation">{t("toList")}</Link>}
    />
  );
}

function BoxPanel({ box }: { box: ValveBox }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const [params, setParams] = useSearchParams();
  const quality = useShownQuality(box.quality);
  const ageMs = useAge(box.heardAt);
  const wanted = Number(params.get("ch"));
  const channel = box.channels.find(({ value }) => value.number === wanted) ?? box.channels[0];
  const choose = (number: number) => {
    params.set("ch", `${number}`);
    setParams(params, { replace: true });
  };
  return (
    <div className="panel-page">
      <PageHeading
        lead={
          <Link className="panel-page__back" to="/irrigation" aria-label={t("common:action.back")}>
            <BackIcon size={22} />
          </Link>
        }
        title={box.name}
        note={`${labels.deviceType(box.type)} · ${box.serial}`}
        actions={
          <span className="panel-page__marks">
            <SignalBars rssi={box.rssi} />
            <QualityMark quality={quality} ageMs={ageMs} words />
          </span>
        }
      />
      {box.channels.length > 1 && (
        <div className="panel-page__channels">
          {box.channels.map((each) => (
            <ChipOf key={each.id} channel={each} selected={each === channel} onSelect={choose} />
          ))}
        </div>
      )}
      {channel ? (
        <ChannelPanel key={channel.id} box={box} channel={channel} />
      ) : (
        <p className="panel-page__none">{t("noChannels")}</p>
      )}
    </div>
  );
}

interface ChipOfProps {
  channel: ValveBox["channels"][number];
  selected: boolean;
  onSelect: (number: number) => void;
}

function ChipOf({ channel, selected, onSelect }: ChipOfProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, modes } = channel.value;
  const quality = useShownQuality(channel.value.quality);
  const mode = modes?.active ?? "none";
  return (
    <ChannelChip
      number={number}
      view={valveView({ onoff, command, quality })}
      selected={selected}
      onSelect={() => onSelect(number)}
      letter={mode === "none" ? null : t(`mode.letter.${mode}`)}
    />
  );
}
