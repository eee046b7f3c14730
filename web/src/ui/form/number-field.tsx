import { TextField } from "./text-field.tsx";

interface NumberFieldProps {
  label: string;
  /** Typed text; read it with `readDecimal`. */
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  /** True for whole numbers: selects another keyboard on a phone. */
  whole?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  name?: string;
}

/** Maximum length of a typed number. */
const MAX_LENGTH = 24;

/** Input for a number. It is a text input, so no typed character is lost. */
export function NumberField({ whole = false, onChange, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      inputMode={whole ? "numeric" : "decimal"}
      autoComplete="off"
      maxLength={MAX_LENGTH}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
