import { FormField, type FormFieldProps } from "./form-field.tsx";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Options of one group are listed under its name. */
  readonly group?: string;
}

interface SelectFieldProps extends Omit<FormFieldProps, "children"> {
  name?: string;
  value: string;
  options: readonly SelectOption[];
  /** Shown while no option is selected; not selectable. */
  placeholder?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** Group the options, in their original order. */
function groupsOf(options: readonly SelectOption[]): Map<string, SelectOption[]> {
  const groups = new Map<string, SelectOption[]>();
  for (const option of options) {
    const group = option.group ?? "";
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return groups;
}

/** Select one of many options with the device's own list. */
export function SelectField(props: SelectFieldProps) {
  const { name, value, options, placeholder, onChange, onBlur, ...field } = props;
  return (
    <FormField {...field}>
      {(control) => (
        <select
          {...control}
          className="control"
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        >
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {[...groupsOf(options)].map(([group, members]) => {
            const shown = members.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ));
            return group === "" ? (
              shown
            ) : (
              <optgroup key={group} label={group}>
                {shown}
              </optgroup>
            );
          })}
        </select>
      )}
    </FormField>
  );
}
