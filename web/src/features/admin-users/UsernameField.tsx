import { LOGIN_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useTranslation } from "../../i18n/use-translation.ts";
import { TextField } from "../../ui/form/text-field.tsx";

interface UsernameFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** The name that somebody signs in with. */
export function UsernameField({ value, error, onChange, onBlur }: UsernameFieldProps) {
  const { t } = useTranslation("admin-users");
  return (
    <TextField
      label={t("column.username")}
      hint={t("hint.username")}
      name="username"
      // Of somebody else the browser has nothing to propose, and nothing to keep.
      autoComplete="off"
      maxLength={LOGIN_MAX_LENGTH}
      required
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  );
}
