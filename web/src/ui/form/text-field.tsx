import type { ComponentPropsWithRef } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";

type TextFieldProps = Omit<FormFieldProps, "children"> &
  Pick<
    ComponentPropsWithRef<"input">,
    | "ref"
    | "type"
    | "name"
    | "value"
    | "defaultValue"
    | "maxLength"
    | "autoComplete"
    | "autoFocus"
    | "inputMode"
    | "placeholder"
    | "readOnly"
    | "onChange"
    | "onBlur"
  >;

/** Single-line text input with label, hint and error. */
export function TextField({ label, hint, error, required, disabled, ...input }: TextFieldProps) {
  return (
    <FormField
      label={label}
      hint={hint}
      error={error}
      required={required ?? false}
      disabled={disabled ?? false}
    >
      {(control) => (
        <input {...input} {...control} className="control" autoCapitalize="none" spellCheck={false} />
      )}
    </FormField>
  );
}
