import { type ReactNode, useId } from "react";
import { FieldNote } from "./form-field.tsx";
import "./check-field.css";

interface CheckFieldProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  name?: string;
  /** Style as a switch: for a setting that takes effect at once. */
  look?: "box" | "switch";
}

/** Ask for yes or no; the whole line is clickable. */
export function CheckField(props: CheckFieldProps) {
  const { label, checked, onChange, hint, error, disabled, name, look = "box" } = props;
  const id = useId();
  return (
    <div className="check" data-testid="field" data-disabled={disabled || undefined}>
      <label className="check__line">
        <input
          type="checkbox"
          className={`check__${look}`}
          role={look === "switch" ? "switch" : undefined}
          name={name}
          checked={checked}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}
