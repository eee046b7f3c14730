import { Button, Grid } from "@chakra-ui/react";
import { Settings2Icon } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { useReadOnly } from "../../../api/hooks.ts";
import { useNewestParams, withParam } from "../../../components/address.ts";
import { Card } from "../../../components/card.tsx";
import { PageHeading, ReturnLink } from "../../../components/page-heading.tsx";
import { AlarmLine } from "../../../domain/alarm/AlarmLine.tsx";
import { NO_FARM } from "../../../domain/farm/farm-members.ts";
import { UntilKnown } from "../../../domain/farm/UntilKnown.tsx";
import { FormPageEmpty } from "../../../domain/form/form-page.tsx";
import { LeaveGuard } from "../../../domain/form/leave-guard.tsx";
import { LatestBadges } from "../../../domain/log/LatestBadges.tsx";
import { LogBoard } from "../../../domain/log/LogBoard.tsx";
import { useAddressChoice } from "../../../domain/log/range/RangePicker.tsx";
import type { LogSource } from "../../../domain/log/sources/source.ts";
import { OwnLink } from "../../../domain/view-as/OwnLink.tsx";
import { usePreview } from "../../../domain/watering/use-preview.ts";
import { useLiveSelection } from "../../../live/hooks.ts";
import { useSurface } from "../../../theme/use-surface.ts";
import { ChannelMatrix, UnitAccordion } from "../ChannelMatrix.tsx";
import { CloseAllButton } from "../CloseAllButton.tsx";
import { ClosingCard } from "../ClosingCard.tsx";
import { createdDay, type FarmItem } from "../farm-list.ts";
import { IrrigationFrame, IrrigationLoading, type IrrigationValues } from "../IrrigationFrame.tsx";
import { farmNamePath, farmPath } from "../paths.ts";
import { PlanCard } from "../Timeline.tsx";
import { TodayCard } from "../TodayCard.tsx";
import { DeviceRows } from "./DeviceRows.tsx";
import { type Chosen, readChosen, toggleChosen, writeChosen } from "./selection.ts";
import { useSettingsCard, ValveSettings } from "./ValveSettings.tsx";
import { WateringList } from "./WateringList.tsx";

const ALARMS = ["alarm"] as const;

/** List the farm's valves that were opened on site, each with a way to give it an end (RUN-3). */
function OutsideOpenings({ farm }: { farm: FarmItem }) {
  const alarms = useLiveSelection(
    ALARMS,
    (live) => {
      const keys = new Set(farm.units.flatMap(({ channels }) => channels.map(({ id }) => `channel:${id}`)));
      return [...live.alarms.values()].filter(
        ({ type, active, key }) => type === "external-open" && active && keys.has(key),
      );
    },
    shallow,
  );
  return alarms.map((alarm) => <AlarmLine key={alarm.id} alarms={[alarm]} />);
}

/** Show one farm: its valves, its day and its devices. The address holds the farm and the selected devices. */
export function FarmPage() {
  const { t } = useTranslation("irrigation");
  const [params] = useSearchParams();
  const id = params.get("farm");
  if (id === null) return <Navigate to="/irrigation" replace />;
  return (
    <IrrigationFrame chosen={id}>
      {(values) => {
        const farm = values.farms.find((each) => each.id === id);
        return farm ? (
          <FarmView key={id} farm={farm} values={values} />
        ) : (
          <UntilKnown loading={<IrrigationLoading />}>
            <FormPageEmpty title={t("gone")} to="/irrigation" toList={t("toList")} />
          </UntilKnown>
        );
      }}
    </IrrigationFrame>
  );
}

function FarmView({ farm, values }: { farm: FarmItem; values: IrrigationValues }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const { params, change } = useNewestParams();
  const navigate = useNavigate();
  const settings = useSettingsCard();
  const readOnly = useReadOnly();
  const phone = useSurface() === "phone";
  const preview = usePreview();
  // Selecting devices changes the address and keeps unsaved settings on the page.
  const keeps = (to: URLSearchParams) => to.get("farm") === farm.id && to.get("show") !== "1";
  const chosen = useMemo(() => readChosen(params), [params]);
  const channels = new Set(farm.units.flatMap((unit) => unit.channels.map(({ id }) => id)));
  if (params.get("show") === "1") return <ChosenDevices farm={farm} chosen={chosen} />;

  const created = createdDay(farm.createdDate);
  const note = [farm.description, created !== null && t("created", { date: created })];
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
            {isFarm && <CloseAllButton farm={farm} units={farm.units} />}
          </>
        }
      />
      <ClosingCard />
      <OutsideOpenings farm={farm} />
      <LeaveGuard when={settings.unsaved} keeps={keeps} />
      {settings.open && <ValveSettings farm={farm} card={settings} />}
      {channels.size > 0 && (
        <TodayCard
          sum={values.sumOf(farm.id)}
          isLoading={values.isLoading}
          claim={values.claim}
          seenSince={values.seenSince}
          onLink={readOnly ? undefined : settings.show}
        />
      )}
      {farm.units.length > 0 &&
        (phone ? (
          <UnitAccordion units={farm.units} next={preview.next} />
        ) : (
          <Card title={t("matrix.title")} flush>
            <ChannelMatrix units={farm.units} next={preview.next} />
          </Card>
        ))}
      {channels.size > 0 && <PlanCard preview={preview} farmId={farm.id} channels={channels} />}
      {channels.size > 0 && <WateringList farm={farm} />}
      <DeviceRows
        farm={farm}
        chosen={chosen}
        onToggle={({ kind, id }) =>
          change((before) => writeChosen(before, toggleChosen(readChosen(before), kind, id)), {
            replace: true,
          })
        }
        // Unsaved settings may block this change, so it must not show before the address has it.
        onDone={() => void navigate(`?${withParam(params, "show", "1")}`)}
      />
    </>
  );
}

/** Return the selected devices as sources of the log: all channels of a controller. */
function sourcesOf(farm: FarmItem, { ids, cots }: Chosen): LogSource[] {
  const channels = farm.units
    .filter(({ id }) => cots.includes(id))
    .flatMap((unit) =>
      unit.channels.map(({ number }): LogSource => ({ kind: "channel", id: unit.id, number })),
    );
  return [...ids.map((id): LogSource => ({ kind: "sensor", id })), ...channels];
}

/** Show the selected devices of a farm: names, latest values and charts. */
function ChosenDevices({ farm, chosen }: { farm: FarmItem; chosen: Chosen }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const [params] = useSearchParams();
  const range = useAddressChoice();
  const devices = farm.devices.filter(({ id }) => chosen.ids.includes(id) || chosen.cots.includes(id));
  const [first] = devices;
  const last = devices.findLast(({ kind }) => kind === "sensor");
  const sources = useMemo(() => sourcesOf(farm, chosen), [farm, chosen]);
  const back = writeChosen(params, chosen);
  back.delete("show");
  const others = devices.length - 1;
  const created = first && others === 0 ? createdDay(first.createdDate) : null;
  const name = first && (others === 0 ? first.name : t("select.names", { name: first.name, count: others }));
  return (
    <Grid gap="4" minW="0">
      <PageHeading
        mb="1"
        lead={<ReturnLink otherwise={`/irrigation/farm?${back}`} />}
        title={name ?? t("select.gone")}
        note={[farm.name, created !== null && t("created", { date: created })].filter(Boolean).join(" · ")}
      />
      {first ? (
        <>
          {last && <LatestBadges id={last.id} />}
          <LogBoard sources={sources} {...range} />
        </>
      ) : (
        <Link to={farmPath(farm.id)}>{farm.name}</Link>
      )}
    </Grid>
  );
}
