import { FormField, type FormFieldProps } from "./form-field.tsx";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Options of one group stand together under its name. */
  readonly group?: string;
}

interface SelectFieldProps extends Omit<FormFieldProps, "children"> {
  name?: string;
  value: string;
  options: readonly SelectOption[];
  /** Stands there while nothing is chosen, and cannot be chosen. */
  placeholder?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** The options, those of a group together, in the order in which they came. */
function groupsOf(options: readonly SelectOption[]): Map<string, SelectOption[]> {
  const groups = new Map<string, SelectOption[]>();
  for (const option of options) {
    const group = option.group ?? "";
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return groups;
}

/** One of many, by the list that the device itself opens. */
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
