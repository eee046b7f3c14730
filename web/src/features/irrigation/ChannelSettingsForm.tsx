import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { useTranslation } from "react-i18next";
import { NumberField, SelectField, TextField } from "../../components/field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { toaster } from "../../components/toaster.tsx";
import type { Settings } from "../../domain/valve/settings.ts";
import type { FarmUnit } from "./farm-list.ts";
import type { Meter } from "./meters.ts";
import { readMinutes } from "./minutes.ts";
import { SettingsRow } from "./SettingsRow.tsx";
import type { SettingsCard } from "./use-settings-card.ts";
import { useTellChanged } from "./use-tell-changed.ts";

const MINUTE_SECONDS = 60;
const NO_METER = "";

export interface ChannelSettingsFormProps {
  box: FarmUnit;
  channel: FarmUnit["channels"][number];
  settings: Settings;
  meters: readonly Meter[];
  onChanged: SettingsCard["onChanged"];
}

/** Settings of a valve: its name, its default run time and its flow meter. */
export function ChannelSettingsForm(props: ChannelSettingsFormProps) {
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
