import { FormField, type FormFieldProps } from "./form-field.tsx";

interface TimeFieldProps extends Omit<FormFieldProps, "children"> {
  /** `HH:mm` or empty. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
}

/** Input for a time of day. */
export function TimeField({ value, onChange, onBlur, name, ...field }: TimeFieldProps) {
  return (
    <FormField {...field}>
      {(control) => (
        <input
          {...control}
          type="time"
          className="control"
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </FormField>
  );
}
