import type { ComponentPropsWithRef } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";

type TextAreaProps = Omit<FormFieldProps, "children"> &
  Pick<ComponentPropsWithRef<"textarea">, "name" | "value" | "maxLength" | "rows" | "onChange" | "onBlur">;

/** Multi-line text input with label, hint and error. */
export function TextArea({ label, hint, error, required, disabled, ...area }: TextAreaProps) {
  return (
    <FormField
      label={label}
      hint={hint}
      error={error}
      required={required ?? false}
      disabled={disabled ?? false}
    >
      {(control) => <textarea {...area} {...control} className="control" />}
    </FormField>
  );
}
