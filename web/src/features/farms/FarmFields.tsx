import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { TextArea, TextField } from "../../components/field.tsx";
import type { NamedFarm } from "../../domain/farm/farms-by-name.ts";
import { useInfos } from "../../domain/farm/when-infos-change.ts";
import type { FormControl } from "../../domain/form/use-form.ts";
import { byName } from "../../i18n/by-name.ts";
import type { LiveFarm } from "../../live/hooks.ts";

const FARMS = ["farm"] as const;

/** Farm fields that its forms use. */
export interface KnownFarm extends NamedFarm {
  readonly description: string;
  readonly sensorIds: readonly string[];
  /** Version for changes; null if the API has none. */
  readonly version: string | null;
}

const farmsIn = ({ farms }: LiveFarm): readonly KnownFarm[] =>
  [...farms]
    .map(([id, { info }]) => ({
      id,
      name: info.name,
      description: info.description ?? "",
      sensorIds: info.sensorIds.map(String),
      version: info.version ?? null,
    }))
    .sort(byName);

/** Return the farms by name, live. */
export function useKnownFarms(): readonly KnownFarm[] {
  return useInfos(FARMS, farmsIn);
}

export interface FarmFieldsProps {
  form: FormControl<FarmValues>;
  farms: readonly NamedFarm[];
  own: string | null;
  /** False if the farm API does not store a description. */
  described: boolean;
}

/** Name and description of a farm. A duplicate name is reported while typing. */
export function FarmFields({ form, farms, own, described }: FarmFieldsProps) {
  const { t } = useTranslation("farms");
  const field = form.field("name");
  const taken = farmOfName(farms, field.value, own) ? t("nameTaken") : undefined;
  return (
    <>
      <TextField
        {...field}
        required
        label={t("name")}
        maxLength={MAX_NAME}
        autoComplete="off"
        error={field.error ?? taken}
      />
      {described && (
        <TextArea
          {...form.field("description")}
          label={t("description")}
          maxLength={MAX_DESCRIPTION}
          rows={3}
        />
      )}
    </>
  );
}

/**
 * Return the other farm with the typed name; null if the name is free. Names are compared exactly, without
 * surrounding spaces, as in the farm API.
 *
 * @param own the farm that is renamed; null for a new one
 */
export function farmOfName(farms: readonly NamedFarm[], typed: string, own: string | null): NamedFarm | null {
  const name = typed.trim();
  if (name === "") return null;
  return farms.find((farm) => farm.id !== own && farm.name.trim() === name) ?? null;
}

/** Text fields of a farm. */
export interface FarmValues {
  readonly name: string;
  readonly description: string;
}

/**
 * Check a farm's name and description and return translated faults. `own` is the farm itself; null for a new
 * one.
 */
export function farmFaults(
  { name, description }: FarmValues,
  farms: readonly NamedFarm[],
  own: string | null,
  t: TFunction<"farms">,
): { name: string | undefined; description: string | undefined } {
  const longName = name.trim().length > MAX_NAME ? t("tooLong", { max: MAX_NAME }) : undefined;
  const taken = farmOfName(farms, name, own) ? t("nameTaken") : undefined;
  return {
    name: name.trim() === "" ? t("nameRequired") : (longName ?? taken),
    description: description.length > MAX_DESCRIPTION ? t("tooLong", { max: MAX_DESCRIPTION }) : undefined,
  };
}
