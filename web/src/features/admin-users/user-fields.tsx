import { USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useTranslation } from "react-i18next";
import { SelectField, TextField } from "../../components/field.tsx";
import type { ProfileFault } from "../../domain/account/profile.ts";
import { type FieldProps, faultTexts } from "../../domain/form/use-form.ts";
import type { UserFault } from "./user-values.ts";

/** Select for the user's role (USER or ADMIN). */
export function RoleField({ onChange, ...field }: FieldProps<"ADMIN" | "USER">) {
  const { t } = useTranslation("admin-users");
  return (
    <SelectField
      label={t("column.userType")}
      hint={t("type.hint")}
      {...field}
      options={(["USER", "ADMIN"] as const).map((type) => ({ value: type, label: t(`type.${type}`) }))}
      onChange={(chosen) => onChange(chosen === "ADMIN" ? "ADMIN" : "USER")}
    />
  );
}

/** Username field. */
export function UsernameField(field: FieldProps<string>) {
  const { t } = useTranslation("admin-users");
  return (
    <TextField
      label={t("column.username")}
      hint={t("hint.username")}
      {...field}
      // The browser must not propose or store another person's username.
      autoComplete="off"
      maxLength={USERNAME_MAX_LENGTH}
      required
    />
  );
}

/** Translate the fault of each field. */
export function useUserFaults() {
  const { t } = useTranslation(["admin-users", "account"]);
  const translate = (fault: UserFault | ProfileFault): string =>
    fault === "username" || fault === "password" ? t(`hint.${fault}`) : t(`account:profile.fault.${fault}`);
  return (faults: Partial<Record<string, UserFault | ProfileFault>>) => faultTexts(faults, translate);
}
