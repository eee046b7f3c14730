import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { NOTHING_KNOWN, nextOfChannels } from "../../farm/next-watering.ts";
import { usePreview } from "../../farm/use-preview.ts";
import { sumWater, useWaterSentence } from "../../farm/water-sum.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { useSurface } from "../../theme/use-surface.ts";
import { WaterGate } from "../../ui/scenes/water-gate.tsx";
import { ChannelCell } from "./ChannelCell.tsx";
import { CloseAllButton } from "./CloseAllButton.tsx";
import { ClosingCard } from "./ClosingCard.tsx";
import type { FarmUnit } from "./farm-list.ts";
import { IrrigationFrame, type IrrigationParts } from "./IrrigationFrame.tsx";
import { PlanCard } from "./PlanCard.tsx";
import { TodayCard } from "./TodayCard.tsx";
import { useWaterOfChannels } from "./use-open-channels.ts";

/** All farms and their water. */
export function IrrigationPage() {
  return <IrrigationFrame chosen={null}>{(parts) => <Overview parts={parts} />}</IrrigationFrame>;
}

/** Every box once: one that is on the land of two farms too. */
const unitsOf = ({ farms }: IrrigationParts): FarmUnit[] => [
  ...new Map(farms.flatMap(({ units }) => units.map((box) => [box.id, box]))).values(),
];

function Overview({ parts }: { parts: IrrigationParts }) {
  const { t } = useTranslation("irrigation");
  const phone = useSurface() === "phone";
  const units = unitsOf(parts);
  const preview = usePreview();
  const water = useWaterOfChannels();
  const next = preview.value ? nextOfChannels(preview.value) : NOTHING_KNOWN;
  const valves = units.flatMap((box) =>
    box.channels.map((channel) => ({ channel, box, now: water.get(channel.id) ?? ("unknown" as const) })),
  );
  const opened = valves.filter(({ now }) => now === "runs" || now === "ran");
  const note = useWaterSentence(sumWater(valves.map(({ now }) => now)));
  return (
    <>
      <PageHeading
        mb="1"
        title={t("title")}
        note={note}
        actions={<CloseAllButton farmId={null} name={null} units={units} />}
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
          {opened.map(({ channel, box, now }) => (
            <li key={channel.id} data-water={now}>
              <span className="irrigation__box">{box.name}</span>
              <ChannelCell box={box} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </ul>
      )}
      <TodayCard sum={parts.sumOf(null)} seenSince={parts.seenSince} />
      {parts.list}
      <PlanCard preview={preview} farmId={null} />
      <p className="irrigation__ways">
        <Link to="/sensors/cot">{t("allBoxes")}</Link>
        <OwnLink to="/farmadd">{t("addFarm")}</OwnLink>
      </p>
    </>
  );
}
