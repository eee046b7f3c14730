import { type FormEvent, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { RestContext } from "../../rest/hooks.ts";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import { beginContent, followContent, isChanged, savedContent } from "./form-content.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { holdPage } from "./unsaved.ts";

/** Sentences by field; a field without a fault has none. */
export type Faults<V> = Partial<Record<keyof V, string | undefined>>;

export interface FormOptions<V extends object> {
  /** What stands there at first. Later values come by `follow`. */
  readonly initial: V;
  /** What is wrong with these values, in the reader's language. */
  readonly rules: (values: V) => Faults<V>;
  /** Where "there is one already" (409) belongs. */
  readonly conflictField?: keyof V & string;
  /** What that means here; a general sentence without it. */
  readonly conflictWords?: string;
  /**
   * Our own words for what the server says of a field; where there are none, a foreign server is quoted, and ours,
   * whose sentences are English, only to who reads English.
   */
  readonly serverWords?: (field: string, sentence: string) => string | undefined;
  /** The server's names of fields that are called otherwise here. */
  readonly serverFields?: Readonly<Record<string, keyof V & string>>;
  /** Under this name the content outlives a sign-in that ends while somebody types. */
  readonly draft?: string;
  /** Saves. Whatever it throws is told in words, a {@link FormFailure} in its own; the content stays. */
  readonly submit: (values: V) => Promise<void>;
  /** The way on from a form that is saved: goes once nothing of it is unsaved any more, and no guard holds it. */
  readonly saved?: () => void;
}

/** A form's content and state. Content is lost by nothing but the person's own will. */
export interface FormControl<V extends object> {
  readonly values: V;
  set<K extends keyof V>(field: K, value: V[K]): void;
  /** Shows what is wrong with a field from now on: when somebody leaves it. */
  touch(field: keyof V): void;
  /** Something stands here that is nowhere else. */
  readonly changed: boolean;
  /** Somebody has tried to save: all faults show. */
  readonly tried: boolean;
  readonly busy: boolean;
  /** What is wrong with a field, as far as that is to be shown yet. */
  error(field: keyof V): string | undefined;
  /** Why it was not saved, where that belongs to no field. */
  readonly failure: string | null;
  submit(event?: FormEvent): void;
  /** For the `form` element of one that is not sent by its own event. */
  readonly element: RefObject<HTMLFormElement | null>;
  /** Takes what came from elsewhere; see {@link followContent}. Call it when it changes, not at every drawing. */
  follow(fresh: V): void;
  /** What somebody else saved in a field that was changed here as well. */
  readonly elsewhere: V | null;
  /** Gives up one's own for what somebody else saved. */
  takeOver(): void;
  /** Keeps one's own over what somebody else saved. */
  keepMine(): void;
}

const NOTHING_REFUSED: Refusal = { fields: {}, failure: null };

const hasFault = (faults: object): boolean => Object.values(faults).some((fault) => fault !== undefined);

/** Keeps the newest of something for handlers that outlive a drawing. */
function useNewest<T>(value: T): { readonly current: T } {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

/** Holds a form's content through refusals, lost links, live changes and sign-ins that end. */
export function useForm<V extends object>(options: FormOptions<V>): FormControl<V> {
  const { rules, conflictField, conflictWords, serverWords, serverFields, draft } = options;
  const { t, i18n } = useTranslation("common");
  const labels = useLabels();
  const rest = useContext(RestContext);
  const [content, setContent] = useState(() =>
    beginContent(options.initial, draft === undefined ? null : readDraft(draft, options.initial)),
  );
  const [touched, setTouched] = useState<ReadonlySet<keyof V>>(new Set());
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(NOTHING_REFUSED);
  /** Counts what was refused: each time the focus goes to the first field that is wrong. */
  const [refusals, setRefusals] = useState(0);
  /** Counts what was saved: each time the way goes on. */
  const [saves, setSaves] = useState(0);
  const saving = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const { values } = content;
  const changed = isChanged(content);
  // Most drawings show no fault, and a rule may ask the browser something slow.
  let found: Faults<V> | undefined;
  const faults = (): Faults<V> => {
    found ??= rules(values);
    return found;
  };

  // A button that waits cannot hold the focus: a keyboard goes on from it once there is an answer.
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
      setTouched(new Set());
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
    failure: refusal.failure,
    elsewhere: content.elsewhere,
    element,
    set(field, value) {
      setContent((now) => ({ ...now, values: { ...now.values, [field]: value } }));
      setRefusal(({ fields: { [`${String(field)}`]: _answered, ...fields }, failure }) => ({
        fields,
        failure,
      }));
    },
    touch: (field) => setTouched((now) => (now.has(field) ? now : new Set([...now, field]))),
    error(field) {
      const shows = tried || touched.has(field);
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
