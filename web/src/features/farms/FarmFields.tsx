import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import { useTranslation } from "react-i18next";
import { TextArea, TextField } from "../../components/field.tsx";
import type { FormControl } from "../../components/form/use-form.ts";
import { type FarmValues, farmOfName, type NamedFarm } from "./farm-rules.ts";

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
