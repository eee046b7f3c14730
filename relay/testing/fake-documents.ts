import type { Static, TSchema } from "typebox";
import type {
  Collection,
  DatedCollection,
  DocumentChange,
  KeyedCollection,
} from "../src/store/collections.ts";
import { Documents, type DocumentTexts, type StoredText } from "../src/store/documents.ts";
import { StoreUnavailableError } from "../src/store/errors.ts";

/** An account's documents in memory: they outlive services, can fail, and can be lost. */
export interface FakeDocuments {
  failing: boolean;
  /** Writes complete once this promise resolves. */
  until: Promise<void>;
  readonly texts: DocumentTexts;
  readonly documents: Documents;
  readonly steps: (readonly DocumentChange[])[];
  wipe(): void;
  /** Return the keys of a collection. */
  keys(of: Collection): string[];
  /** Return a document; undefined if there is none. */
  valueOf<S extends TSchema>(of: KeyedCollection<S> | DatedCollection<S>, key: string): Static<S> | undefined;
}

/** Create the documents. Values pass through JSON as on a disk, so a read returns a copy. */
export function createFakeDocuments(): FakeDocuments {
  const collections = new Map<string, Map<string, StoredText>>();
  const textsOf = (of: Collection): Map<string, StoredText> => {
    const known = collections.get(of.name) ?? new Map<string, StoredText>();
    collections.set(of.name, known);
    return known;
  };
  const texts: DocumentTexts = {
    get: async (of, key) => textsOf(of).get(key)?.text ?? null,
    list: async (of, since) =>
      [...textsOf(of).values()].filter(({ at }) => at >= since).sort((a, b) => a.at - b.at),
    async write(changes) {
      await fake.until;
      if (fake.failing) throw new StoreUnavailableError("disk full");
      fake.steps.push(changes);
      for (const { of, key, at, text } of changes) {
        if (text === null) textsOf(of).delete(key);
        else textsOf(of).set(key, { key, at, text });
      }
    },
  };
  const fake: FakeDocuments = {
    failing: false,
    until: Promise.resolve(),
    texts,
    documents: new Documents(texts),
    steps: [],
    wipe: () => collections.clear(),
    keys: (of) => [...textsOf(of).keys()],
    valueOf(of, key) {
      const stored = textsOf(of).get(key);
      return stored && JSON.parse(stored.text);
    },
  };
  return fake;
}
