import { useId, useState } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";

interface ZoneFieldProps extends Omit<FormFieldProps, "children"> {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
}

/** Longest name of a zone that an account takes. */
const MAX_LENGTH = 64;

let zones: readonly string[] | undefined;

/** Some four hundred names, which a browser takes its time to gather: asked for by who comes to choose. */
const knownZones = (): readonly string[] => {
  zones ??= Intl.supportedValuesOf("timeZone");
  return zones;
};

/** A time zone by its name: the browser proposes those it knows, while one types. */
export function ZoneField({ value, onChange, onBlur, name, ...field }: ZoneFieldProps) {
  const list = useId();
  // Nobody else needs so many elements on the page.
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
