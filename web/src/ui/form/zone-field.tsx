import { useId, useState } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";

interface ZoneFieldProps extends Omit<FormFieldProps, "children"> {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
}

/** Maximum length of a zone name in an account. */
const MAX_LENGTH = 64;

let zones: readonly string[] | undefined;

/** About four hundred names, slow to collect: read only when the user reaches the field. */
const knownZones = (): readonly string[] => {
  zones ??= Intl.supportedValuesOf("timeZone");
  return zones;
};

/** Input for a time zone name with the browser's known zones as proposals. */
export function ZoneField({ value, onChange, onBlur, name, ...field }: ZoneFieldProps) {
  const list = useId();
  // Other users do not need so many elements on the page.
  const [reached, setReached] = useState(false);
  return (
    <FormField {...field}>
      {(control) => (
        <>
          <input
            {...control}
            className="control"
            name={name}
            list={list}
            value={value}
            maxLength={MAX_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
            onFocus={() => setReached(true)}
            onBlur={onBlur}
          />
          <datalist id={list}>
            {reached && knownZones().map((zone) => <option key={zone} value={zone} />)}
          </datalist>
        </>
      )}
    </FormField>
  );
}
