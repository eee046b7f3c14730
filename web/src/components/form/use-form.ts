import { type FormEvent, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { RestContext } from "../../api/hooks.ts";
import { useLabels } from "../../i18n/labels.ts";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import { beginContent, followContent, isChanged, savedContent } from "./form-content.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { holdPage } from "./unsaved.ts";

/** Error texts by field; a valid field has none. */
export type Faults<V> = Partial<Record<keyof V, string | undefined>>;

export interface FormOptions<V extends object> {
  /** Initial values. Later values arrive by `follow`. */
  readonly initial: V;
  /** Validate the values; texts are in the user's language. */
  readonly rules: (values: V) => Faults<V>;
  /** Field of a 409 conflict ("already exists"). */
  readonly conflictField?: keyof V & string;
  /** Text for that conflict; a general text if omitted. */
  readonly conflictWords?: string;
  /**
   * Return our own text for the server's error at a field. Without one, a foreign server is quoted. Our own
   * server's English text is quoted only to users of English.
   */
  readonly serverWords?: (field: string, sentence: string) => string | undefined;
  /** Map the server's field names to the form's own if they differ. */
  readonly serverFields?: Readonly<Record<string, keyof V & string>>;
  /** Failed action, such as "The farm could not be added."; shown before the cause of every failure. */
  readonly failed?: string;
  /** Key under which the content survives the end of a session. */
  readonly draft?: string;
  /** Save. Any thrown error is shown as text, a {@link FormFailure} in its own words; the content stays. */
  readonly submit: (values: V) => Promise<void>;
  /** Leave a saved form: called when nothing is unsaved and no guard blocks it. */
  readonly saved?: () => void;
}

/** A form's content and state. Only the user discards content. */
export interface FormControl<V extends object> {
  readonly values: V;
  set<K extends keyof V>(field: K, value: V[K]): void;
  /** Show a field's error from now on: called when the user leaves the field. */
  touch(field: keyof V): void;
  /** True while the form has unsaved values. */
  readonly changed: boolean;
  /** True after the first submit: all errors are visible. */
  readonly tried: boolean;
  readonly busy: boolean;
  /** Return a field's error if it is to be shown yet. */
  error(field: keyof V): string | undefined;
  /** Failure that belongs to no field. */
  readonly failure: string | null;
  submit(event?: FormEvent): void;
  /** The `form` element, for forms that are not submitted by their own event. */
  readonly element: RefObject<HTMLFormElement | null>;
  /** Apply content from elsewhere; see {@link followContent}. Call it on changes, not on every render. */
  follow(fresh: V): void;
  /** Another user's value of a field also changed here. */
  readonly elsewhere: V | null;
  /** Replace the local values by the other user's. */
  takeOver(): void;
  /** Keep the local values over the other user's. */
  keepMine(): void;
}

const NOTHING_REFUSED: Refusal = { fields: {}, failure: null };

const hasFault = (faults: object): boolean => Object.values(faults).some((fault) => fault !== undefined);

/** Return a ref to the newest value, for handlers that outlive a render. */
function useNewest<T>(value: T): { readonly current: T } {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

/** Keep a form's content through refusals, lost links, live changes and ended sessions. */
export function useForm<V extends object>(options: FormOptions<V>): FormControl<V> {
  const { rules, conflictField, conflictWords, serverWords, serverFields, draft, failed } = options;
  const { t, i18n } = useTranslation("common");
  const labels = useLabels();
  const rest = useContext(RestContext);
  const [content, setContent] = useState(() =>
    beginContent(options.initial, draft === undefined ? null : readDraft(draft, options.initial)),
  );
  const [visited, setVisited] = useState<ReadonlySet<keyof V>>(new Set());
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(NOTHING_REFUSED);
  /** Counts refusals: each one focuses the first invalid field. */
  const [refusals, setRefusals] = useState(0);
  /** Counts saves: each one continues to the next page. */
  const [saves, setSaves] = useState(0);
  const saving = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const { values } = content;
  const changed = isChanged(content);
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
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  const goOn = useNewest(options.saved);
  useEffect(() => {
    if (saves > 0) goOn.current?.();
  }, [saves, goOn]);

  const held = changed || busy;
  useEffect(() => (held ? holdPage() : undefined), [held]);

  const newest = useNewest({ values, changed });
  useEffect(() => {
    if (draft === undefined) return;
    dropDraft(draft);
    return () => {
      const session = rest?.session.store.getState();
      const ended = session?.state === "signed-out" && session.reason === "expired";
      if (ended && newest.current.changed) keepDraft(draft, newest.current.values);
    };
  }, [draft, rest, newest]);

  const isForeignTongue = (own: boolean) => own && i18n.language !== "en";
  const save = async () => {
    saving.current = true;
    setBusy(true);
    try {
      await options.submit(values);
      setContent((now) => savedContent(now, values));
      setTried(false);
      setVisited(new Set());
      setSaves((count) => count + 1);
    } catch (error) {
      const words = {
        error: labels.error,
        refused: (field: string, sentence: string, own: boolean) =>
          serverWords?.(field, sentence) ??
          (isForeignTongue(own) ? t("form.invalid") : t("form.refused", { sentence })),
        other: (field: string, sentence: string, own: boolean) =>
          own ? (serverWords?.(field, sentence) ?? (isForeignTongue(own) ? "" : sentence)) : sentence,
        said: (sentence: string) => t("form.refused", { sentence }),
        wait: (seconds: number) => t("form.wait", { count: seconds }),
        wrongPicture: t("form.image.wrongKind"),
        taken:
          conflictField === undefined
            ? null
            : { field: conflictField, sentence: conflictWords ?? labels.error("conflict") },
      };
      const fieldOf = (name: string) => serverFields?.[name] ?? (name in values ? name : null);
      setRefusal(refusalOf(error, fieldOf, words));
      setRefusals((count) => count + 1);
    } finally {
      saving.current = false;
      setBusy(false);
    }
  };

  return {
    values,
    changed,
    tried,
    busy,
    failure:
      failed === undefined || refusal.failure === null ? refusal.failure : `${failed} ${refusal.failure}`,
    elsewhere: content.elsewhere,
    element,
    set(field, value) {
      setContent((now) => ({ ...now, values: { ...now.values, [field]: value } }));
      setRefusal(({ fields: { [`${String(field)}`]: _answered, ...fields }, failure }) => ({
        fields,
        failure,
      }));
    },
    touch: (field) => setVisited((now) => (now.has(field) ? now : new Set([...now, field]))),
    error(field) {
      const shows = tried || visited.has(field);
      return refusal.fields[String(field)] ?? (shows ? faults()[field] : undefined);
    },
    submit(event) {
      event?.preventDefault();
      if (saving.current) return;
      if (event?.currentTarget instanceof HTMLFormElement) element.current = event.currentTarget;
      setTried(true);
      setRefusal(NOTHING_REFUSED);
      if (hasFault(faults())) setRefusals((count) => count + 1);
      else void save();
    },
    follow: (fresh) => setContent((now) => followContent(now, fresh)),
    takeOver: () =>
      setContent((now) => (now.elsewhere ? { ...now, values: now.elsewhere, elsewhere: null } : now)),
    keepMine: () => setContent((now) => ({ ...now, elsewhere: null })),
  };
}
