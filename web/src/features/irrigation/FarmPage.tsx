import { Button } from "@chakra-ui/react";
import { Settings2Icon } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { useReadOnly } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LeaveGuard } from "../../components/form/leave-guard.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { NOTHING_KNOWN, nextOfChannels } from "../../domain/watering/next-watering.ts";
import { usePreview } from "../../domain/watering/use-preview.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { ChannelMatrix } from "./ChannelMatrix.tsx";
import { ChosenDevices } from "./ChosenDevices.tsx";
import { CloseAllButton } from "./CloseAllButton.tsx";
import { ClosingCard } from "./ClosingCard.tsx";
import { createdDay } from "./created-day.ts";
import { DeviceRows } from "./DeviceRows.tsx";
import type { FarmItem } from "./farm-list.ts";
import { IrrigationFrame, IrrigationLoading, type IrrigationParts } from "./IrrigationFrame.tsx";
import { OutsideOpenings } from "./OutsideOpenings.tsx";
import { PlanCard } from "./PlanCard.tsx";
import { farmNamePath } from "./paths.ts";
import { readChosen, toggleChosen, writeChosen } from "./selection.ts";
import { TodayCard } from "./TodayCard.tsx";
import { UnitAccordion } from "./UnitAccordion.tsx";
import { useSettingsCard } from "./use-settings-card.ts";
import { ValveSettings } from "./ValveSettings.tsx";
import { WateringList } from "./WateringList.tsx";

/** One farm: its valves side by side, its day, its devices. `farm` stands in the address, and what was chosen. */
export function FarmPage() {
  const { t } = useTranslation("irrigation");
  const [params] = useSearchParams();
  const id = params.get("farm");
  if (id === null) return <Navigate to="/irrigation" replace />;
  return (
    <IrrigationFrame chosen={id}>
      {(parts) => {
        const farm = parts.farms.find((each) => each.id === id);
        return farm ? (
          <FarmView key={id} farm={farm} parts={parts} />
        ) : (
          <UntilKnown loading={<IrrigationLoading />}>
            <EmptyState
              scene={<EmptyField />}
              title={t("gone")}
              action={
                <Button asChild variant="outline">
                  <Link to="/irrigation">{t("toList")}</Link>
                </Button>
              }
            />
          </UntilKnown>
        );
      }}
    </IrrigationFrame>
  );
}

function FarmView({ farm, parts }: { farm: FarmItem; parts: IrrigationParts }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const [params, setParams] = useSearchParams();
  const settings = useSettingsCard();
  const readOnly = useReadOnly();
  const phone = useSurface() === "phone";
  const preview = usePreview();
  const search = params.toString();
  // Choosing devices changes the address and leaves the settings where they are.
  const keeps = useCallback(
    (to: URLSearchParams) => to.get("farm") === farm.id && to.get("show") !== "1",
    [farm.id],
  );
  // A press takes effect at once. The address follows, and rules when the user goes back.
  const [chosen, setChosen] = useState(() => readChosen(params));
  useEffect(() => setChosen(readChosen(new URLSearchParams(search))), [search]);
  const next = useMemo(
    () => (preview.value ? nextOfChannels(preview.value) : NOTHING_KNOWN),
    [preview.value],
  );
  const channels = useMemo(
    () => new Set(farm.units.flatMap((box) => box.channels.map(({ id }) => id))),
    [farm],
  );
  if (params.get("show") === "1") return <ChosenDevices farm={farm} chosen={chosen} />;

  const created = createdDay(farm.createdDate);
  const note = [farm.description, ...(created === null ? [] : [t("created", { date: created })])];
  const isFarm = farm.id !== NO_FARM;
  return (
    <>
      <PageHeading
        mb="1"
        lead={phone && <ReturnLink otherwise="/irrigation" />}
        title={farm.name}
        note={note.filter(Boolean).join(" · ")}
        actions={
          <>
            {isFarm && (
              <Button asChild variant="outline" size="sm">
                <OwnLink to={farmNamePath(farm.id)}>{t("renameShort")}</OwnLink>
              </Button>
            )}
            {channels.size > 0 && !readOnly && (
              <Button variant="outline" aria-expanded={settings.open} onClick={settings.toggle}>
                <Settings2Icon />
                {t("settings.button")}
              </Button>
            )}
            {isFarm && <CloseAllButton farmId={farm.id} name={farm.name} units={farm.units} />}
          </>
        }
      />
      <ClosingCard />
      <OutsideOpenings farm={farm} />
      <LeaveGuard when={settings.unsaved} keeps={keeps} />
      {settings.open && <ValveSettings farm={farm} card={settings} />}
      {channels.size > 0 && (
        <TodayCard
          sum={parts.sumOf(farm.id)}
          isLoading={parts.isLoading}
          seenSince={parts.seenSince}
          onLink={readOnly ? undefined : settings.show}
        />
      )}
      {farm.units.length > 0 &&
        (phone ? (
          <UnitAccordion units={farm.units} next={next} />
        ) : (
          <Card title={t("matrix.title")} flush>
            <ChannelMatrix units={farm.units} next={next} />
          </Card>
        ))}
      {channels.size > 0 && <PlanCard preview={preview} farmId={farm.id} channels={channels} />}
      <DeviceRows
        farm={farm}
        chosen={chosen}
        onToggle={({ kind, id }) => {
          const next = toggleChosen(chosen, kind, id);
          setChosen(next);
          setParams(writeChosen(params, next), { replace: true });
        }}
        onDone={() => {
          const shown = writeChosen(params, chosen);
          shown.set("show", "1");
          setParams(shown);
        }}
      />
      {channels.size > 0 && <WateringList farm={farm} />}
    </>
  );
}
