import { USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/field.tsx";

interface UsernameFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** Username field. */
export function UsernameField({ value, error, onChange, onBlur }: UsernameFieldProps) {
  const { t } = useTranslation("admin-users");
  return (
    <TextField
      label={t("column.username")}
      hint={t("hint.username")}
      name="username"
      // The browser must not propose or store another person's username.
      autoComplete="off"
      maxLength={USERNAME_MAX_LENGTH}
      required
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  );
}
