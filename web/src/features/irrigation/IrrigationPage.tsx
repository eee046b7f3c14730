import { Link } from "react-router-dom";
import { NOTHING_KNOWN, nextOfChannels } from "../../farm/next-watering.ts";
import { usePreview } from "../../farm/use-preview.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useKnowsPresent } from "../../live/hooks.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { WaterGate } from "../../ui/scenes/water-gate.tsx";
import { useSurface } from "../../ui/theme/use-surface.ts";
import { ChannelCell } from "./ChannelCell.tsx";
import { CloseAllButton } from "./CloseAllButton.tsx";
import { ClosingCard } from "./ClosingCard.tsx";
import type { FarmBox } from "./farm-list.ts";
import { IrrigationFrame, type IrrigationParts } from "./IrrigationFrame.tsx";
import { PlanCard } from "./PlanCard.tsx";
import { TodayCard } from "./TodayCard.tsx";
import { useOpenChannels } from "./use-open-channels.ts";

/** All farms and their water. */
export function IrrigationPage() {
  return <IrrigationFrame chosen={null}>{(parts) => <Overview parts={parts} />}</IrrigationFrame>;
}

/** Every box once: one that is on the land of two farms too. */
const boxesOf = ({ farms }: IrrigationParts): FarmBox[] => [
  ...new Map(farms.flatMap(({ boxes }) => boxes.map((box) => [box.id, box]))).values(),
];

function Overview({ parts }: { parts: IrrigationParts }) {
  const { t } = useTranslation(["irrigation", "controller"]);
  const phone = useSurface() === "phone";
  const boxes = boxesOf(parts);
  const preview = usePreview();
  const open = useOpenChannels();
  const next = preview.value ? nextOfChannels(preview.value) : NOTHING_KNOWN;
  const opened = boxes.flatMap((box) =>
    box.channels.filter(({ id }) => open.has(id)).map((channel) => ({ channel, box })),
  );
  const running = opened.filter(({ channel }) => open.get(channel.id) === "runs").length;
  const unsure = opened.length - running;
  const known = useKnowsPresent();
  return (
    <>
      <PageHeading
        title={t("title")}
        note={
          opened.length === 0
            ? t(known ? "controller:noneRunning" : "controller:runningUnknown")
            : [
                ...(running > 0 ? [t("controller:running", { count: running })] : []),
                ...(unsure > 0 ? [t("controller:unsure", { count: unsure })] : []),
              ].join(" · ")
        }
        actions={<CloseAllButton farmId={null} name={null} boxes={boxes} />}
      />
      <ClosingCard />
      {!phone && (
        <div className="irrigation__scene">
          <WaterGate align="xMidYMid" />
          <p>
            <strong>{t("word")}</strong>
            <span>{t("choose")}</span>
          </p>
        </div>
      )}
      {opened.length > 0 && (
        <ul className="irrigation__running" aria-label={t("runningNow")}>
          {opened.map(({ channel, box }) => (
            <li key={channel.id} data-water={open.get(channel.id)}>
              <span className="irrigation__box">{box.name}</span>
              <ChannelCell box={box} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </ul>
      )}
      <TodayCard sum={parts.sumOf(null)} />
      {parts.list}
      <PlanCard preview={preview} farmId={null} />
      <p className="irrigation__ways">
        <Link to="/sensors/cot">{t("allBoxes")}</Link>
        <OwnLink to="/farmadd">{t("addFarm")}</OwnLink>
      </p>
    </>
  );
}
