import { Link, Navigate, useSearchParams } from "react-router-dom";
import { UntilKnown } from "../../farm/UntilKnown.tsx";
import type { ValveBox } from "../../farm/valve-boxes.ts";
import { nameInBox } from "../../farm/valve-title.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAge, useDrawnQuality, useFirstSync } from "../../live/hooks.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { RefreshIcon, SettingsIcon } from "../../ui/icon/icons.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { IconButton } from "../../ui/layout/icon-button.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { ChannelChip } from "../../ui/valve/channel-chip.tsx";
import { valveView } from "../../ui/valve/valve-view.ts";
import { editPathOf } from "./box-paths.ts";
import { ChannelList } from "./ChannelList.tsx";
import { ChannelPanel } from "./ChannelPanel.tsx";
import { SignalBars } from "./SignalBars.tsx";
import { useBox } from "./use-boxes.ts";
import { useRefresh } from "./use-refresh.ts";
import "./panel.css";

/** One controller: its channels, and the valve of the chosen one. `cotId` and `ch` stand in the address. */
export function PanelPage() {
  const { t } = useTranslation(["controller", "common"]);
  const [params] = useSearchParams();
  const id = params.get("cotId");
  const box = useBox(id ?? "");
  if (id === null) return <Navigate to="/sensors/cot" replace />;
  if (box) return <BoxPanel box={box} />;
  return (
    <UntilKnown loading={<PanelSkeleton />}>
      <EmptyState
        scene={<EmptyField />}
        title={t("gone")}
        action={<Link to="/sensors/cot">{t("toList")}</Link>}
      />
    </UntilKnown>
  );
}

/** Holds the places of heading, channels and valve. */
function PanelSkeleton() {
  return (
    <div className="panel-page" aria-hidden>
      <Skeleton width="14rem" height="2.25rem" />
      <div className="panel-page__channels">
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} height="3.5rem" />
        ))}
      </div>
      <Skeleton height="14rem" />
    </div>
  );
}

function BoxPanel({ box }: { box: ValveBox }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const [params, setParams] = useSearchParams();
  const quality = useDrawnQuality(box);
  const ageMs = useAge(box.heardAt);
  const known = useFirstSync() === "done";
  const wanted = Number(params.get("ch"));
  const channel = box.channels.find(({ value }) => value.number === wanted) ?? box.channels[0];
  const { refresh, ask } = useRefresh(box, channel && { id: channel.id, number: channel.value.number });
  const choose = (number: number) => {
    // A copy: what was typed may hold the page, and then the address stays as it is.
    const next = new URLSearchParams(params);
    next.set("ch", `${number}`);
    setParams(next, { replace: true });
  };
  return (
    <div className="panel-page">
      <PageHeading
        lead={<BackLink to="/sensors/cot" />}
        title={box.name}
        note={`${labels.deviceType(box.type)} · ${box.serial}`}
        actions={
          <span className="panel-page__marks">
            <SignalBars rssi={box.rssi} />
            <QualityMark quality={quality} ageMs={ageMs} words />
            <span className="panel-page__tools">
              <IconButton
                label={t(refresh.state === "asking" ? "refreshing" : "refresh")}
                aria-disabled={refresh.state === "asking"}
                data-asking={refresh.state === "asking" || undefined}
                onClick={ask}
              >
                <RefreshIcon />
              </IconButton>
              <OwnLink
                className="icon-button"
                to={editPathOf(box)}
                aria-label={t("edit", { name: box.name })}
                title={t("edit", { name: box.name })}
              >
                <SettingsIcon />
              </OwnLink>
            </span>
          </span>
        }
      />
      {refresh.state === "silent" && <ErrorNote>{t("refreshSilent")}</ErrorNote>}
      {refresh.state === "failed" && (
        <ErrorNote>
          {t("refreshFailed")} {labels.error(refresh.reason)}
        </ErrorNote>
      )}
      <div className="panel-page__body">
        <div className="panel-page__main">
          {box.channels.length > 1 && (
            <div className="panel-page__channels">
              {box.channels.map((each) => (
                <ChipOf
                  key={each.id}
                  box={box}
                  channel={each}
                  selected={each === channel}
                  onSelect={choose}
                />
              ))}
            </div>
          )}
          {channel ? (
            <ChannelPanel key={channel.id} box={box} channel={channel} />
          ) : (
            <p className="panel-page__none">{t(known ? "noChannels" : "channelsUnknown")}</p>
          )}
        </div>
        {box.form === "controller" && (
          <aside className="panel-page__sensors" aria-label={t("sensorsOfChannels")}>
            <ChannelList box={box} />
          </aside>
        )}
      </div>
    </div>
  );
}

interface ChipOfProps {
  box: ValveBox;
  channel: ValveBox["channels"][number];
  selected: boolean;
  onSelect: (number: number) => void;
}

function ChipOf({ box, channel, selected, onSelect }: ChipOfProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, modes } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <ChannelChip
      name={nameInBox(box, channel)}
      number={number}
      view={valveView({ onoff, command, quality })}
      selected={selected}
      onSelect={() => onSelect(number)}
      letter={mode === "none" ? null : t(`mode.letter.${mode}`)}
    />
  );
}
