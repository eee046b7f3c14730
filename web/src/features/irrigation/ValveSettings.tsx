import { Button, chakra } from "@chakra-ui/react";
import { XIcon } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { type Settings, useSettings } from "../../domain/valve/settings.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { ChannelSettingsForm } from "./ChannelSettingsForm.tsx";
import type { FarmItem } from "./farm-list.ts";
import { type Meter, metersIn } from "./meters.ts";
import { UnitCapForm } from "./UnitCapForm.tsx";
import type { SettingsCard } from "./use-settings-card.ts";

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/** Edit the limits of a farm's valves: run time, longest run time, and the meter that counts their water. */
export function ValveSettings({ farm, card }: { farm: FarmItem; card: SettingsCard }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const settings = useSettings();
  const meters = useLiveSelection(
    KINDS,
    useMemo(() => whenInfosChange(metersIn), []),
  );
  return (
    <Card
      title={t("settings.title")}
      aside={
        <IconButton label={t("settings.close")} onClick={card.toggle}>
          <XIcon />
        </IconButton>
      }
    >
      {settings.failure !== null && (
        <ErrorNote
          action={
            <Button size="sm" onClick={settings.reread}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {t("settings.failed")} {labels.error(settings.failure)}
        </ErrorNote>
      )}
      {settings.settings === null
        ? settings.failure === null && <Skeleton height="10rem" />
        : farm.units.map((box) => (
            <UnitSettings
              key={box.id}
              box={box}
              settings={settings}
              meters={meters}
              onChanged={card.onChanged}
            />
          ))}
      <ConfirmDialog
        open={card.asking}
        title={t("common:form.leave.title")}
        body={<p>{t("settings.leave.text")}</p>}
        confirmLabel={t("settings.leave.close")}
        cancelLabel={t("common:form.leave.stay")}
        danger
        onConfirm={card.drop}
        onClose={card.stay}
      />
    </Card>
  );
}

interface UnitSettingsProps {
  box: FarmItem["units"][number];
  settings: Settings;
  meters: readonly Meter[];
  onChanged: SettingsCard["onChanged"];
}

function UnitSettings({ box, settings, meters, onChanged }: UnitSettingsProps) {
  const sensors = useLiveSelection(
    KINDS,
    useCallback(
      ({ channels }: LiveFarm) =>
        box.channels.flatMap(({ id }) => channels.get(id)?.sensorIds.map(String) ?? []).join(),
      [box],
    ),
  );
  // A meter that sits on a channel of the box measures its soil's water, not what flows in.
  const onChannels = new Set(sensors.split(","));
  const free = meters.filter(({ id }) => !onChannels.has(id));
  return (
    <chakra.section
      css={{ "& + &": { mt: "5", pt: "4", borderTopWidth: "1px" }, "& h3": { mb: "2", fontWeight: "650" } }}
      data-testid="valve-settings"
    >
      <h3>{box.name}</h3>
      <UnitCapForm box={box} settings={settings} onChanged={onChanged} />
      {box.channels.map((channel) => (
        <ChannelSettingsForm
          key={channel.id}
          box={box}
          channel={channel}
          settings={settings}
          meters={free}
          onChanged={onChanged}
        />
      ))}
    </chakra.section>
  );
}
