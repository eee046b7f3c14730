import { type ReactNode, useId } from "react";
import "./form-field.css";

/** What ties a control to its label and sentences; spread it on the control. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
  readonly "aria-required"?: true;
  readonly disabled?: boolean;
}

export interface FormFieldProps {
  label: ReactNode;
  /** What is expected; gives way to the error. */
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** Label, control, and under it the error or else the hint; wired together for screen readers. */
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
    <div className="field" data-disabled={disabled || undefined}>
      <label className="field__label" htmlFor={id}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children(control)}
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

/** Says to the eye what `aria-required` says to the ear. */
export function RequiredMark() {
  return (
    <span className="field__required" aria-hidden>
      *
    </span>
  );
}

/** What is wrong with a field, or else what is expected of it. */
export function FieldNote({ id, error, hint }: { id: string; error?: ReactNode; hint?: ReactNode }) {
  if (error) {
    return (
      <p className="field__error" id={id} role="alert">
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
