import type { ReactNode } from "react";
import { CheckField } from "../../components/choice.tsx";
import type { FieldProps } from "./use-form.ts";

interface FormCheckProps extends FieldProps<boolean | null> {
  label: ReactNode;
  hint: ReactNode;
}

/** Checkbox of a form's field; null is unchecked. */
export function FormCheck({ value, onBlur: _onBlur, ...field }: FormCheckProps) {
  return <CheckField {...field} checked={value === true} />;
}
