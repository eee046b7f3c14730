import { TextField } from "./text-field.tsx";

interface NumberFieldProps {
  label: string;
  /** As it was typed; read it by `readDecimal`. */
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  /** Whole numbers alone: another keyboard on a phone. */
  whole?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  name?: string;
}

/** Longest number that anybody types. */
const MAX_LENGTH = 24;

/** A number in words of the keyboard: text, so that nothing that was typed is lost. */
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
