import { type ReactNode, useId } from "react";
import "./form-field.css";

/** Props that connect a control with its label and notes; spread them on the control. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
  readonly "aria-required"?: true;
  readonly disabled?: boolean;
}

export interface FormFieldProps {
  label: ReactNode;
  /** Expected input; replaced by the error. */
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** Render label, control and the error or the hint, connected for screen readers. */
export function FormField({ label, hint, error, required, disabled, children }: FormFieldProps) {
  const id = useId();
  const sentence = error || hint;
  const control: ControlProps = {
    id,
    ...(sentence ? { "aria-describedby": `${id}-note` } : {}),
    ...(error ? { "aria-invalid": true } : {}),
    ...(required ? { "aria-required": true } : {}),
    ...(disabled ? { disabled: true } : {}),
  };
  return (
    <div className="field" data-testid="field" data-disabled={disabled || undefined}>
      <label className="field__label" htmlFor={id}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children(control)}
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

/** Show visually what `aria-required` tells a screen reader. */
export function RequiredMark() {
  return (
    <span className="field__required" aria-hidden>
      *
    </span>
  );
}

/** Show a field's error, or else its hint. */
export function FieldNote({ id, error, hint }: { id: string; error?: ReactNode; hint?: ReactNode }) {
  if (error) {
    return (
      <p className="field__error" data-testid="field-error" id={id} role="alert">
        {error}
      </p>
    );
  }
  return hint ? (
    <p className="field__hint" id={id}>
      {hint}
    </p>
  ) : null;
}
