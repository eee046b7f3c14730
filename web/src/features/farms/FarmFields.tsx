import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import { useTranslation } from "react-i18next";
import { TextArea, TextField } from "../../components/field.tsx";
import type { FormControl } from "../../components/form/use-form.ts";
import { farmOfName, type NamedFarm } from "./farm-name.ts";
import type { FarmValues } from "./farm-rules.ts";

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
  const { name, description } = form.values;
  const taken = farmOfName(farms, name, own) ? t("nameTaken") : undefined;
  return (
    <>
      <TextField
        required
        name="name"
        label={t("name")}
        value={name}
        maxLength={MAX_NAME}
        autoComplete="off"
        error={form.error("name") ?? taken}
        onChange={(event) => form.set("name", event.target.value)}
        onBlur={() => form.touch("name")}
      />
      {described && (
        <TextArea
          name="description"
          label={t("description")}
          value={description}
          maxLength={MAX_DESCRIPTION}
          rows={3}
          error={form.error("description")}
          onChange={(event) => form.set("description", event.target.value)}
          onBlur={() => form.touch("description")}
        />
      )}
    </>
  );
}
