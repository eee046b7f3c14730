import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { useTranslation } from "react-i18next";
import { type FormControl, faultTexts, useForm } from "../../components/form/use-form.ts";
import { type DisplayDraft, draftFaults, RANGES, settingsOf } from "./draft.ts";

/** Form of a display's settings, for a new or an existing display. */
export function useDisplayForm(
  values: DisplayDraft,
  keep: (settings: DisplaySettings) => Promise<void>,
): FormControl<DisplayDraft> {
  const { t } = useTranslation("displays");
  const rangeOf = (field: string) => Object.entries(RANGES).find(([name]) => name === field)?.[1];
  return useForm<DisplayDraft>({
    values,
    rules: (values) =>
      faultTexts(draftFaults(values), (fault, field) => {
        const { from = 0, to = 0 } = rangeOf(field) ?? {};
        return t(`fault.${fault}`, { from, to });
      }),
    serverWords: (field) => (field === "farms" ? t("fault.goneFarm") : undefined),
    submit: (values) => keep(settingsOf(values)),
  });
}
