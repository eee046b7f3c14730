import {
  Field,
  IconButton,
  Input,
  InputGroup,
  type InputProps,
  NativeSelect,
  Textarea,
} from "@chakra-ui/react";
import { nativeSelectSlotRecipe } from "@chakra-ui/react/theme";
import { EyeIcon, EyeOffIcon } from "lucide-react";
import { type ComponentPropsWithRef, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, changedRecipe, OUTLINE } from "../theme/recipe.ts";

const SELECT = changedRecipe(nativeSelectSlotRecipe, {
  variants: {
    size: {
      md: {
        root: { "--select-field-height": "sizes.12" },
        field: { ...CONTROL, ps: "3.5", pe: "10", cursor: "pointer" },
        indicator: { insetEnd: "3" },
      },
    },
    variant: { outline: { field: OUTLINE } },
  },
});

interface FieldFrameProps {
  /** Expected input; replaced by the error. */
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  children: ReactNode;
}

/** Render controls with the error or the hint below, which describes them to screen readers. */
export function FieldFrame({ hint, error, required = false, disabled = false, children }: FieldFrameProps) {
  // One id for both: Chakra describes a control by its helper text only.
  const note = useId();
  return (
    <Field.Root
      data-testid="field"
      ids={{ errorText: note, helperText: note }}
      invalid={Boolean(error)}
      required={required}
      disabled={disabled}
    >
      {children}
      {error ? (
        <Field.ErrorText role="alert" data-testid="field-error">
          {error}
        </Field.ErrorText>
      ) : (
        hint && <Field.HelperText>{hint}</Field.HelperText>
      )}
    </Field.Root>
  );
}

export interface FormFieldProps extends FieldFrameProps {
  label: ReactNode;
}

/** Render label, control and the error or the hint, connected for screen readers. */
export function FormField({ label, children, ...frame }: FormFieldProps) {
  return (
    <FieldFrame {...frame}>
      <Field.Label>
        {label}
        <Field.RequiredIndicator />
      </Field.Label>
      {children}
    </FieldFrame>
  );
}

type Labelled = Omit<FormFieldProps, "children">;

type TextFieldProps = Labelled & Omit<InputProps, keyof Labelled>;

/** Share of the greatest length from which the length is shown: before the browser cuts the text. */
const NEAR_END = 0.8;

/** Return the hint with the length of a text that is near its greatest one. */
function withLength(hint: ReactNode, length: number, max: number | undefined): ReactNode {
  if (max === undefined || length < NEAR_END * max) return hint;
  return (
    <>
      {hint} <span data-testid="field-length">{`${length}/${max}`}</span>
    </>
  );
}

const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);

/** Single-line text input with label, hint and error. A password can be shown. */
export function TextField({ label, hint, error, required, disabled, ...input }: TextFieldProps) {
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState(() => lengthOf(input.defaultValue));
  const [isShown, setShown] = useState(false);
  const isPassword = input.type === "password";
  const length = input.value === undefined ? typed : lengthOf(input.value);
  const control = (
    <Input
      {...input}
      type={isPassword && isShown ? "text" : input.type}
      autoCapitalize="none"
      spellCheck={false}
      onInput={(event) => setTyped(event.currentTarget.value.length)}
    />
  );
  return (
    <FormField
      label={label}
      hint={isPassword ? hint : withLength(hint, length, input.maxLength)}
      error={error}
      required={required}
      disabled={disabled}
    >
      {isPassword ? (
        <InputGroup
          endElementProps={{ px: "0" }}
          endElement={
            <IconButton
              variant="ghost"
              size="md"
              aria-label={t("form.showPassword")}
              aria-pressed={isShown}
              disabled={disabled}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? <EyeOffIcon size={20} /> : <EyeIcon size={20} />}
            </IconButton>
          }
        >
          {control}
        </InputGroup>
      ) : (
        control
      )}
    </FormField>
  );
}

type TextAreaProps = Labelled &
  Pick<ComponentPropsWithRef<"textarea">, "name" | "value" | "maxLength" | "rows" | "onChange" | "onBlur">;

/** Multi-line text input with label, hint and error. */
export function TextArea({ label, hint, error, required, disabled, ...area }: TextAreaProps) {
  const length = withLength(hint, lengthOf(area.value), area.maxLength);
  return (
    <FormField label={label} hint={length} error={error} required={required} disabled={disabled}>
      <Textarea {...area} />
    </FormField>
  );
}

/** A field whose text is reported without its event. */
interface ValueFieldProps extends Labelled {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
}

/** Maximum length of a typed number. */
const MAX_NUMBER_LENGTH = 24;

/**
 * Input for a number; read its text with `readDecimal`. It is a text input, so no typed character is lost.
 *
 * @param props.whole true for whole numbers: selects another keyboard on a phone
 */
export function NumberField({ whole = false, onChange, ...field }: ValueFieldProps & { whole?: boolean }) {
  return (
    <TextField
      {...field}
      inputMode={whole ? "numeric" : "decimal"}
      autoComplete="off"
      maxLength={MAX_NUMBER_LENGTH}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Input for a time of day, `HH:mm` or empty. */
export function TimeField({ onChange, ...field }: ValueFieldProps) {
  return <TextField {...field} type="time" onChange={(event) => onChange(event.target.value)} />;
}

/** Maximum length of a zone name in an account. */
const MAX_ZONE_LENGTH = 64;

let zones: readonly string[] | undefined;

/** About four hundred names, slow to collect: read only when the user reaches the field. */
const knownZones = (): readonly string[] => {
  zones ??= Intl.supportedValuesOf("timeZone");
  return zones;
};

/** Input for a time zone name with the browser's known zones as proposals. */
export function ZoneField({ value, onChange, onBlur, name, ...field }: ValueFieldProps) {
  const list = useId();
  // Other users do not need so many elements on the page.
  const [reached, setReached] = useState(false);
  return (
    <FormField {...field}>
      <Input
        name={name}
        list={list}
        value={value}
        maxLength={MAX_ZONE_LENGTH}
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
    </FormField>
  );
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Options of one group are listed under its name. */
  readonly group?: string;
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

interface SelectProps extends Omit<NativeSelect.RootProps, "onChange" | "children"> {
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  name?: string | undefined;
  /** Accessible name, where nothing else labels it. */
  label?: string;
  /** Shown while no option is selected; not selectable. */
  placeholder?: string | undefined;
}

/** Select one of many options with the device's own list. */
export function Select(props: SelectProps) {
  const { name, value, options, placeholder, label, onChange, onBlur, ...frame } = props;
  return (
    <NativeSelect.Root recipe={SELECT} {...frame}>
      <NativeSelect.Field
        name={name}
        value={value}
        aria-label={label}
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
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
}

interface SelectFieldProps extends ValueFieldProps {
  options: readonly SelectOption[];
  placeholder?: string;
}

/** {@link Select} with label, hint and error. */
export function SelectField(props: SelectFieldProps) {
  const { name, value, options, placeholder, onChange, onBlur, ...field } = props;
  return (
    <FormField {...field}>
      <Select {...{ name, value, options, placeholder, onChange, onBlur }} />
    </FormField>
  );
}

// Enter searches; it does not submit the surrounding form.
const keepForm = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();

interface SearchBoxProps {
  /** Searched fields, the accessible name. */
  label: string;
  /** Default: the label. */
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  maxLength?: number;
}

/** Filter the list below while the user types. */
export function SearchBox({ label, placeholder = label, text, onText, maxLength }: SearchBoxProps) {
  return (
    <Input
      type="search"
      flex="1 1 12rem"
      width="auto"
      maxWidth="28rem"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      maxLength={maxLength}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={keepForm}
    />
  );
}
