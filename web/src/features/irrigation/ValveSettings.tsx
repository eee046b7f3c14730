import { Button, chakra } from "@chakra-ui/react";
import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { XIcon } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { NumberField, SelectField, TextField } from "../../components/field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { type Settings, useSettings } from "../../domain/valve/settings.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { FarmItem, FarmUnit } from "./farm-list.ts";
import { type Meter, metersIn } from "./meters.ts";
import { readMinutes } from "./minutes.ts";
import { SettingsRow } from "./SettingsRow.tsx";
import { UnitCapForm } from "./UnitCapForm.tsx";
import type { SettingsCard } from "./use-settings-card.ts";
import { useTellChanged } from "./use-tell-changed.ts";

const MINUTE_SECONDS = 60;
const NO_METER = "";

interface ChannelSettingsFormProps {
  box: FarmUnit;
  channel: FarmUnit["channels"][number];
  settings: Settings;
  meters: readonly Meter[];
  onChanged: SettingsCard["onChanged"];
}

/** Settings of a valve: its name, its default run time and its flow meter. */
function ChannelSettingsForm(props: ChannelSettingsFormProps) {
  const { box, channel, settings, meters, onChanged } = props;
  const { t } = useTranslation(["irrigation", "common"]);
  const cap = settings.capMinutes(box.id);
  const set = settings.settings?.channels[channel.id]?.defaultRunSeconds;
  const minutes = set === undefined ? "" : `${Math.round(set / MINUTE_SECONDS)}`;
  const meter = settings.flowSensor(channel.id) ?? NO_METER;
  const name = settings.settings?.channels[channel.id]?.name ?? "";
  const form = useForm({
    values: { name, minutes, meter },
    rules: (values) => {
      const { fault } = readMinutes(values.minutes, cap);
      return { minutes: fault === null ? undefined : t(`settings.fault.${fault}`, { max: cap }) };
    },
    serverFields: { name: "name", defaultRunSeconds: "minutes", flowSensorId: "meter" },
    serverWords(field) {
      if (field === "name") return t("settings.fault.name", { max: MAX_VALVE_NAME });
      if (field === "flowSensorId") return t("settings.fault.meter");
      return field === "defaultRunSeconds" ? t("settings.fault.too-many", { max: cap }) : undefined;
    },
    async submit(values) {
      const { minutes: typed } = readMinutes(values.minutes, cap);
      await settings.changeChannel(channel.id, {
        name: values.name.trim() || null,
        defaultRunSeconds: typed === null ? null : typed * MINUTE_SECONDS,
        flowSensorId: values.meter === NO_METER ? null : values.meter,
      });
      toaster.create({ type: "success", title: t("settings.saved") });
    },
  });
  useTellChanged(onChanged, `channel ${channel.id}`, form.changed);
  // A meter that was deleted, or sits on a channel now, is still what is set.
  const isKnown = meter === NO_METER || meters.some(({ id }) => id === meter);
  const options = [
    { value: NO_METER, label: t("settings.noMeter") },
    ...meters.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value: meter, label: t("settings.goneMeter") }]),
  ];
  return (
    <SettingsRow form={form} title={t("common:valve.channel", { number: channel.number })}>
      <TextField
        {...form.field("name")}
        autoComplete="off"
        label={t("settings.name")}
        hint={name === "" ? t("settings.nameHint", { name: channel.name }) : undefined}
        maxLength={MAX_VALVE_NAME}
      />
      <NumberField
        {...form.field("minutes")}
        whole
        label={t("settings.run")}
        hint={t("settings.runHint", { count: settings.runMinutes(channel.id, box.id) })}
      />
      <SelectField {...form.field("meter")} label={t("settings.meter")} options={options} />
    </SettingsRow>
  );
}

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
