import { Box, Button, chakra, Grid, Text } from "@chakra-ui/react";
import { MAX_LARGEST_FLOW } from "@mulkko/shared/rest/settings";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { XIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../../components/alerts.tsx";
import { Card } from "../../../components/card.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { NumberField, SelectField, TextField } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { toaster } from "../../../components/toaster.tsx";
import { useInfos } from "../../../domain/farm/when-infos-change.ts";
import { FormNotes } from "../../../domain/form/form-notes.tsx";
import { type FormControl, useForm } from "../../../domain/form/use-form.ts";
import {
  capValuesOf,
  channelBodyOf,
  channelValuesOf,
  HARD_CAP_MINUTES,
  NO_METER,
  readFlow,
  readMinutes,
  secondsOf,
} from "../../../domain/valve/setting-values.ts";
import { type Settings, useSettings } from "../../../domain/valve/settings.ts";
import { type OnUnsaved, useReportUnsaved, useUnsavedForms } from "../../../domain/valve/unsaved-forms.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection } from "../../../live/hooks.ts";
import type { FarmItem, FarmUnit } from "../farm-list.ts";

/** Keep the state of the settings card. Closing it with unsaved values asks first. */
export function useSettingsCard() {
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const { unsaved, onUnsaved } = useUnsavedForms();
  return {
    open,
    unsaved: unsaved.size > 0,
    /** True while the page asks whether unsaved changes may be dropped. */
    asking,
    onUnsaved,
    show: () => setOpen(true),
    toggle() {
      if (open && unsaved.size > 0) setAsking(true);
      else setOpen(!open);
    },
    /** Close and drop unsaved values. */
    drop() {
      setAsking(false);
      setOpen(false);
    },
    stay: () => setAsking(false),
  };
}
export type SettingsCard = ReturnType<typeof useSettingsCard>;

/** A flow meter that may be linked. */
interface Meter {
  readonly id: string;
  readonly name: string;
}

const METER_TYPE = "WATERFLOW";

/** Return the flow meters of the account. */
const metersIn = ({ sensors }: LiveFarm): readonly Meter[] =>
  [...sensors]
    .filter(([, { info }]) => info.deviceType === METER_TYPE)
    .map(([id, { info }]) => ({ id, name: `${deviceName(info)} (${info.serial ?? "--"})` }));

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/** Edit the limits of a farm's valves: run times, and the meter that counts their water. */
export function ValveSettings({ farm, card }: { farm: FarmItem; card: SettingsCard }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const settings = useSettings();
  const meters = useInfos(KINDS, metersIn);
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
        <ErrorNote retry={settings.reread}>
          {t("settings.failed")} {labels.error(settings.failure)}
        </ErrorNote>
      )}
      {settings.settings === null
        ? settings.failure === null && <Skeleton height="10rem" />
        : farm.units.map((unit) => (
            <UnitSettings key={unit.id} {...{ unit, settings, meters }} onUnsaved={card.onUnsaved} />
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

interface UnitProps {
  unit: FarmUnit;
  settings: Settings;
  onUnsaved: OnUnsaved;
}

function UnitSettings({ meters, ...props }: UnitProps & { meters: readonly Meter[] }) {
  const { unit } = props;
  const sensors = useLiveSelection(KINDS, ({ channels }) =>
    unit.channels.flatMap(({ id }) => channels.get(id)?.sensorIds.map(String) ?? []).join(),
  );
  // A meter that is assigned to a channel measures the channel's soil, not the inflow.
  const onChannels = new Set(sensors.split(","));
  const free = meters.filter(({ id }) => !onChannels.has(id));
  return (
    <chakra.section
      css={{ "& + &": { mt: "5", pt: "4", borderTopWidth: "1px" }, "& h3": { mb: "2", fontWeight: "650" } }}
      data-testid="valve-settings"
    >
      <h3>{unit.name}</h3>
      <UnitCapForm {...props} />
      {unit.channels.map((channel) => (
        <ChannelSettingsForm key={channel.id} {...props} channel={channel} meters={free} />
      ))}
    </chakra.section>
  );
}

/** Default limit of manual openings, minutes (RUN-1). */
const USUAL_CAP_MINUTES = MAX_RUN_SECONDS / 60;

/** Edit the longest manual opening of a controller; two hours if empty. */
function UnitCapForm({ unit, settings, onUnsaved }: UnitProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const form = useForm({
    values: capValuesOf(settings.settings, unit.id),
    read: async () => capValuesOf(await settings.readNow(), unit.id),
    rules: ({ minutes }) => {
      const { fault } = readMinutes(minutes, HARD_CAP_MINUTES);
      return {
        minutes: fault === null ? undefined : t(`settings.fault.${fault}`, { max: HARD_CAP_MINUTES }),
      };
    },
    serverFields: { maxRunSeconds: "minutes" },
    async submit({ minutes }) {
      await settings.changeCap(unit.id, secondsOf(minutes, HARD_CAP_MINUTES));
      toaster.create({ type: "success", title: t("settings.saved") });
    },
  });
  useReportUnsaved(onUnsaved, `cap ${unit.id}`, form.changed);
  return (
    <SettingsRow form={form}>
      <NumberField
        {...form.field("minutes")}
        whole
        label={t("settings.cap")}
        hint={t("settings.capHint", { usual: USUAL_CAP_MINUTES, max: HARD_CAP_MINUTES })}
      />
    </SettingsRow>
  );
}

interface ChannelSettingsProps extends UnitProps {
  channel: FarmUnit["channels"][number];
  meters: readonly Meter[];
}

/** Settings of a valve: its name, its default run time, its flow meter and the largest flow through it. */
function ChannelSettingsForm({ unit, channel, settings, meters, onUnsaved }: ChannelSettingsProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const cap = settings.capMinutes(unit.id);
  const stored = channelValuesOf(settings.settings, channel.id);
  const { name, meter } = stored;
  const flowFault = t("settings.fault.flow", { max: MAX_LARGEST_FLOW });
  const form = useForm({
    values: stored,
    read: async () => channelValuesOf(await settings.readNow(), channel.id),
    rules: ({ minutes, meter: linked, flow }) => {
      const { fault } = readMinutes(minutes, cap);
      return {
        minutes: fault === null ? undefined : t(`settings.fault.${fault}`, { max: cap }),
        flow: linked !== NO_METER && readFlow(flow) === undefined ? flowFault : undefined,
      };
    },
    serverFields: {
      name: "name",
      defaultRunSeconds: "minutes",
      flowSensorId: "meter",
      largestFlow: "flow",
    },
    serverTexts(field) {
      if (field === "name") return t("settings.fault.name", { max: MAX_VALVE_NAME });
      if (field === "flowSensorId") return t("settings.fault.meter");
      if (field === "largestFlow") return flowFault;
      return field === "defaultRunSeconds" ? t("settings.fault.too-many", { max: cap }) : undefined;
    },
    async submit(values) {
      const body = channelBodyOf(values, stored, cap);
      if (body) await settings.changeChannel(channel.id, body);
      toaster.create({ type: "success", title: t("settings.saved") });
    },
  });
  useReportUnsaved(onUnsaved, `channel ${channel.id}`, form.changed);
  // A stored meter is listed even if it was deleted or is assigned to a channel now.
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
        hint={t("settings.runHint", { count: settings.runMinutes(channel.id, unit.id) })}
      />
      <Grid gap="2">
        <SelectField {...form.field("meter")} label={t("settings.meter")} options={options} />
        {form.values.meter !== NO_METER && (
          <NumberField {...form.field("flow")} label={t("settings.flow")} hint={t("settings.flowHint")} />
        )}
      </Grid>
    </SettingsRow>
  );
}

const COLUMNS = {
  templateColumns: {
    base: "minmax(0, 1fr)",
    md: "4rem minmax(10rem, 1fr) minmax(8rem, 11rem) minmax(9rem, 14rem) 5.5rem",
  },
  md: { "& > :first-child:not(h4)": { gridColumn: "1 / span 2" } },
} as const;

interface SettingsRowProps {
  form: Omit<FormControl<object>, "set" | "touch" | "error" | "field" | "element">;
  /** Name of the valve; without one the first field is shown instead. */
  title?: string;
  children: ReactNode;
}

/** Form in one row, in one column on a phone; it can be saved once it has changes. */
function SettingsRow({ form, title, children }: SettingsRowProps) {
  const { t } = useTranslation("common");
  return (
    <Grid asChild alignItems="start" rowGap="2" columnGap="4" py="2" {...COLUMNS}>
      <form onSubmit={form.submit} noValidate>
        {title !== undefined && (
          <Text as="h4" pt={{ md: "9" }} fontWeight="semibold">
            {title}
          </Text>
        )}
        {children}
        {(form.changed || form.busy) && (
          <Button type="submit" size="sm" mt={{ md: "1.9rem" }} loading={form.busy}>
            {t("action.save")}
          </Button>
        )}
        <Box gridColumn="1 / -1" _empty={{ display: "none" }}>
          <FormNotes form={form} />
        </Box>
      </form>
    </Grid>
  );
}
