import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/field.tsx";

interface RoleFieldProps {
  value: "ADMIN" | "USER";
  error?: string | undefined;
  onChange: (value: "ADMIN" | "USER") => void;
}

/** Select for the user's role (USER or ADMIN). */
export function RoleField({ value, error, onChange }: RoleFieldProps) {
  const { t } = useTranslation("admin-users");
  return (
    <SelectField
      label={t("column.userType")}
      hint={t("type.hint")}
      name="userType"
      value={value}
      error={error}
      options={(["USER", "ADMIN"] as const).map((type) => ({ value: type, label: t(`type.${type}`) }))}
      onChange={(chosen) => onChange(chosen === "ADMIN" ? "ADMIN" : "USER")}
    />
  );
}
