import { systemTimers } from "@mulkko/shared/rules/clock";
import {
  type FormEvent,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  useForm as useHookForm,
} from "react-hook-form";
import { newCommandId } from "../../api/commands.ts";
import { isUnknownOutcome, NoAnswerError } from "../../api/errors.ts";
import { RestContext } from "../../api/hooks.ts";
import { type RefusalOptions, useRefusal } from "./refusal.ts";
import { areSame, type Creation, mergeContent, type SaveState, Saving } from "./saving.ts";
import { holdPage } from "./unsaved.ts";

/** Maximum number of stored drafts. */
const MAX_DRAFTS = 8;

/** In memory only: other users of this browser must not read the typed values. */
const drafts = new Map<string, object>();

/** Store a form's values when the session ends. */
export function keepDraft(key: string, values: object): void {
  drafts.delete(key);
  drafts.set(key, values);
  for (const oldest of drafts.keys()) {
    if (drafts.size <= MAX_DRAFTS) break;
    drafts.delete(oldest);
  }
}

/** Return a form's stored values if they have the same fields. */
function readDraft<V extends object>(key: string, initial: V): V | null {
  const draft = drafts.get(key);
  return draft === undefined ? null : { ...initial, ...draft };
}

export function dropDraft(key: string): void {
  drafts.delete(key);
}

/** Error texts by field; a valid field has none. */
export type Faults<V> = Partial<Record<keyof V, string | undefined>>;

/** Translate the fault of each field. */
export function faultTexts<Fault>(
  faults: Readonly<Partial<Record<string, Fault | undefined>>>,
  textOf: (fault: Fault, field: string) => string,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [field, fault] of Object.entries(faults)) {
    if (fault !== undefined) texts[field] = textOf(fault, field);
  }
  return texts;
}

export interface FormOptions<V extends FieldValues> extends RefusalOptions<keyof V & string> {
  /** Stored values. Later ones replace those not changed here, see {@link mergeContent}. */
  readonly values: V;
  /** Validate the values; texts are in the user's language. */
  readonly rules: (values: V) => Faults<V>;
  /** Key under which the content survives the end of a session. */
  readonly draft?: string;
  /**
   * Save. Any thrown error is shown as text, a {@link FormFailure} in its own words; the content stays.
   *
   * @param key the same for every attempt to send the same content, as `Idempotency-Key` of a call that creates
   */
  readonly submit: (values: V, key: string) => Promise<void>;
  /** For a form that creates a thing: a call without an answer is asked again by itself (CMD-19). */
  readonly creates?: Creation<V>;
  /**
   * Version of `values` that `submit` names (extension `versions`): with one, a change without an answer is sent again
   * by itself, because it cannot overwrite what another user saved meanwhile (CMD-19).
   */
  readonly version?: string | null | undefined;
  /** Read the stored values now, for a thing that the page does not follow: `values` change with it. */
  readonly read?: () => Promise<V>;
  /** Leave a saved form: called when nothing is unsaved and no guard blocks it. */
  readonly saved?: () => void;
}

/** Props of a field's input. `onChange` takes the value or its event. */
export interface FieldProps<T> {
  readonly name: string;
  readonly value: T;
  readonly error: string | undefined;
  onChange(next: T | { readonly target: { readonly value: T } }): void;
  onBlur(): void;
}

/** A form's content and state. Only the user discards content. */
export interface FormControl<V extends object> {
  readonly values: V;
  set<K extends keyof V>(field: K, value: V[K]): void;
  /** Show a field's error from now on: called when the user leaves the field. */
  touch(field: keyof V): void;
  /** Return a field's error if it is to be shown yet: after leaving it, or after the first submit. */
  error(field: keyof V): string | undefined;
  /** Return the props of a field's input. */
  field<K extends keyof V & string>(name: K): FieldProps<V[K]>;
  /** True while the form has unsaved values. */
  readonly changed: boolean;
  readonly busy: boolean;
  /** Failure that belongs to no field. */
  readonly failure: string | null;
  /** True while a call has no answer, so that the content may have been saved (CMD-19). */
  readonly unsure: boolean;
  submit(event?: FormEvent): void;
  /** The `form` element, for forms that are not submitted by their own event. */
  readonly element: RefObject<HTMLFormElement | null>;
  /** Another user's value of a field also changed here. */
  readonly elsewhere: V | null;
  /** Replace the local values by the other user's. */
  takeOver(): void;
  /** Keep the local values over the other user's. */
  keepMine(): void;
}

const isEvent = <T>(
  next: T | { readonly target: { readonly value: T } },
): next is { readonly target: { readonly value: T } } =>
  typeof next === "object" && next !== null && "target" in next;

/**
 * Keep a form's content through refusals, lost links, live changes and ended sessions: react-hook-form with the
 * server's answers. Its errors are the server's; the rules decide the others on every render, because they
 * compare fields and read live data.
 */
export function useForm<V extends FieldValues>(options: FormOptions<V>): FormControl<V> {
  const { values: stored, rules, draft } = options;
  const rest = useContext(RestContext);
  const refusalOf = useRefusal(options);
  const form = useHookForm<V>({
    defaultValues: stored as DefaultValues<V>,
    validate: ({ formValues }) => Object.values(rules(formValues)).every((fault) => fault === undefined),
    shouldFocusError: false,
  });
  const { isSubmitting: busy, isSubmitted, submitCount, errors } = form.formState;
  const values = form.watch();
  /** Last saved content, from here or elsewhere. */
  const base = form.formState.defaultValues as V;
  // Not `isDirty`: it may miss a change from an empty list to null.
  const changed = !areSame(values, base);
  const [elsewhere, setElsewhere] = useState<V | null>(null);
  /** Counts saves: each one continues to the next page. */
  const [saves, setSaves] = useState(0);
  const submitting = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const path = (field: keyof V) => String(field) as FieldPath<V>;
  // Lazy: most renders show no error, and a rule may call a slow browser function.
  let found: Faults<V> | undefined;
  const faults = (): Faults<V> => {
    found ??= rules(values);
    return found;
  };

  // A disabled button loses the focus: give it back after the answer.
  useEffect(() => {
    if (!busy) return;
    return () => {
      if (document.activeElement !== document.body) return;
      const buttons = [...(element.current?.elements ?? [])];
      const sends = buttons.find((each) => each instanceof HTMLButtonElement && each.type === "submit");
      if (sends instanceof HTMLButtonElement) sends.focus();
    };
  }, [busy]);
  // Not react-hook-form's own focus: it knows no field without a ref, and no order on the page.
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [submitCount]);

  const goOn = useEffectEvent(() => options.saved?.());
  useEffect(() => {
    if (saves > 0) goOn();
  }, [saves]);

  const held = changed || busy;
  useEffect(() => (held ? holdPage() : undefined), [held]);

  const begin = useEffectEvent((key: string) => {
    const kept = readDraft(key, stored);
    if (kept) form.reset(kept, { keepDefaultValues: true });
    dropDraft(key);
  });
  const end = useEffectEvent((key: string) => {
    const session = rest?.session.store.getState();
    // A user who left on purpose left the content too.
    if (changed && session?.state === "signed-out" && session.reason !== "left") keepDraft(key, values);
  });
  useEffect(() => {
    if (draft === undefined) return;
    begin(draft);
    return () => end(draft);
  }, [draft]);

  // Not react-hook-form's `values`: its reset ends `isSubmitting` and counts a field that both sides changed alike
  // as changed.
  const seen = useRef(stored);
  useEffect(() => {
    if (areSame(stored, seen.current)) return;
    seen.current = stored;
    const { merged, collides } = mergeContent(form.getValues(), base, stored);
    form.setValues(merged);
    form.resetDefaultValues(stored);
    setElsewhere((before) => ((collides || before !== null) && !areSame(merged, stored) ? stored : null));
  });

  const [saving] = useState(() => new Saving<V>(systemTimers, newCommandId));
  /** True while a content has no answer. */
  const [unsure, setUnsure] = useState(false);
  const showFailure = (error: unknown, sent: V) => {
    // Without an answer there are no words of the server to show beside the note.
    if (isUnknownOutcome(error) && error instanceof NoAnswerError) return;
    const { fields, failure } = refusalOf(error, sent);
    for (const [field, message] of Object.entries(fields)) form.setError(path(field), { message });
    if (failure !== null) form.setError("root.server", { message: failure });
  };
  const showState = useEffectEvent((state: SaveState<V>) => {
    setUnsure(state.kind === "unknown");
    switch (state.kind) {
      case "saved":
        form.reset(state.sent, { keepValues: true });
        setElsewhere(null);
        setSaves((count) => count + 1);
        return;
      case "found":
        // The thing was reported as it was sent, and the fields follow it already.
        form.clearErrors();
        setSaves((count) => count + 1);
        return;
      case "replaced":
        // The fields show both contents.
        form.clearErrors();
        return;
      case "refused":
      case "unknown":
        showFailure(state.error, state.sent);
        return;
      case "none":
      case "sending":
        return;
    }
  });
  useEffect(() => {
    saving.begin((state) => showState(state));
    return () => saving.end();
  }, [saving]);
  const version = options.version ?? null;
  useEffect(() => {
    if (unsure && !busy) saving.reported({ values: stored, version });
  }, [saving, unsure, busy, stored, version]);
  const save = (sent: V) =>
    saving.save({
      sent,
      base: { values: base, version },
      send: (key) => options.submit(sent, key),
      creates: options.creates,
      read: options.read,
    });

  const control: Omit<FormControl<V>, "field"> = {
    values,
    set(field, value) {
      form.clearErrors(path(field));
      form.setValues((now) => ({ ...now, [field]: value }));
    },
    touch: (field) => form.setValue(path(field), form.getValues(path(field)), { shouldTouch: true }),
    error(field) {
      const state = form.getFieldState(path(field), form.formState);
      return state.error?.message ?? (state.isTouched || isSubmitted ? faults()[field] : undefined);
    },
    changed,
    busy,
    failure: errors.root?.server?.message ?? null,
    unsure,
    submit(event) {
      event?.preventDefault();
      // `isSubmitting` changes with the next render only.
      if (submitting.current) return;
      submitting.current = true;
      if (event?.currentTarget instanceof HTMLFormElement) element.current = event.currentTarget;
      // The server's errors would block the next try.
      form.clearErrors();
      void form
        .handleSubmit(save)()
        .finally(() => {
          submitting.current = false;
        });
    },
    element,
    elsewhere,
    takeOver() {
      if (elsewhere) form.reset(elsewhere);
      setElsewhere(null);
    },
    keepMine: () => setElsewhere(null),
  };
  return {
    ...control,
    field: (name) => ({
      name,
      value: values[name],
      error: control.error(name),
      onChange: (next) => control.set(name, isEvent(next) ? next.target.value : next),
      onBlur: () => control.touch(name),
    }),
  };
}
