import { useTranslation } from "react-i18next";
import { NumberField } from "../../components/field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { toaster } from "../../components/toaster.tsx";
import type { Settings } from "../../domain/valve/settings.ts";
import type { FarmUnit } from "./farm-list.ts";
import { HARD_CAP_MINUTES, readMinutes, USUAL_CAP_MINUTES } from "./minutes.ts";
import { SettingsRow } from "./SettingsRow.tsx";
import type { SettingsCard } from "./use-settings-card.ts";
import { useTellChanged } from "./use-tell-changed.ts";

const MINUTE_SECONDS = 60;

export interface UnitCapFormProps {
  box: FarmUnit;
  settings: Settings;
  onChanged: SettingsCard["onChanged"];
}

/** The longest manual opening of a controller; left empty it is two hours. */
export function UnitCapForm({ box, settings, onChanged }: UnitCapFormProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const set = settings.settings?.controllers[box.id]?.maxRunSeconds;
  const minutes = set === undefined ? "" : `${Math.floor(set / MINUTE_SECONDS)}`;
  const form = useForm({
    values: { minutes },
    rules: (values) => {
      const { fault } = readMinutes(values.minutes, HARD_CAP_MINUTES);
      return {
        minutes: fault === null ? undefined : t(`settings.fault.${fault}`, { max: HARD_CAP_MINUTES }),
      };
    },
    serverFields: { maxRunSeconds: "minutes" },
    async submit(values) {
      const { minutes: typed } = readMinutes(values.minutes, HARD_CAP_MINUTES);
      await settings.changeCap(box.id, typed === null ? null : typed * MINUTE_SECONDS);
      toaster.create({ type: "success", title: t("settings.saved") });
    },
  });
  useTellChanged(onChanged, `cap ${box.id}`, form.changed);
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
