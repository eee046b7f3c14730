import { Field } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export interface FormFieldProps {
  label: ReactNode;
  /** What is expected; gives way to the error. */
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** Label, control, and under it the error or else the hint; wired together for screen readers. */
export function FormField({
  label,
  hint,
  error,
  required = false,
  disabled = false,
  children,
}: FormFieldProps) {
  const { t } = useTranslation("common");
  return (
    <Field.Root invalid={Boolean(error)} required={required} disabled={disabled}>
      <Field.Label>
        {label}
        {required && <Field.RequiredIndicator aria-label={t("state.required")} />}
      </Field.Label>
      {children}
      {error ? (
        <Field.ErrorText role="alert">{error}</Field.ErrorText>
      ) : (
        hint && <Field.HelperText>{hint}</Field.HelperText>
      )}
    </Field.Root>
  );
}
