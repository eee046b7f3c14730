import { type Parsed, parse } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";
import {
  type Collection,
  type DatedCollection,
  type DocumentChange,
  type KeyedCollection,
  SINGLE,
  type SingleCollection,
} from "./collections.ts";
import { readJson } from "./json.ts";

/** The text of a document, as it is stored. `at` is ms UTC. */
export interface StoredText {
  readonly key: string;
  readonly at: number;
  readonly text: string;
}

/** The documents of one account as texts: what a store carries out. */
export interface DocumentTexts {
  /** Return a text; null if there is none, or it has expired. */
  get(of: Collection, key: string): Promise<string | null>;
  /**
   * Return the texts of a collection, in a dated one the newest 1,000, oldest first.
   * @param since ms UTC: only those of that time or later
   */
  list(of: Collection, since: number): Promise<StoredText[]>;
  /**
   * Write all or nothing. Rejects with a `StoreUnavailableError`, or a `StaleOwnerError` once another owner
   * has the account.
   */
  write(changes: readonly DocumentChange[]): Promise<void>;
}

/** A document, or the reason why its text does not fit the schema of its collection. */
export interface ReadDocument<T> {
  readonly key: string;
  readonly read: Parsed<T>;
}

/** The documents of one account, checked by the schemas of their collections. */
export class Documents {
  readonly #texts: DocumentTexts;
  readonly #writers: "owner" | "any-node";

  /** @param writers the collections that may be written here */
  constructor(texts: DocumentTexts, writers: "owner" | "any-node" = "owner") {
    this.#texts = texts;
    this.#writers = writers;
  }

  /** Return an account's single document; undefined if there is none. */
  single<S extends TSchema>(of: SingleCollection<S>): Promise<Parsed<Static<S>> | undefined> {
    return this.#read(of, SINGLE);
  }

  /** Return a document; undefined if there is none, or it has expired. */
  get<S extends TSchema>(
    of: KeyedCollection<S> | DatedCollection<S>,
    key: string,
  ): Promise<Parsed<Static<S>> | undefined> {
    return this.#read(of, key);
  }

  /** Return all documents, in a dated collection oldest first. */
  async list<S extends TSchema>(
    of: KeyedCollection<S> | DatedCollection<S>,
  ): Promise<ReadDocument<Static<S>>[]> {
    return this.#list(of, 0);
  }

  /**
   * Return the documents since a time, oldest first, the newest 1,000 at most.
   * @param at ms UTC
   */
  async since<S extends TSchema>(of: DatedCollection<S>, at: number): Promise<Parsed<Static<S>>[]> {
    return (await this.#list(of, at)).map(({ read }) => read);
  }

  /**
   * Resolve when all changes are durable. Rejects with a `StoreUnavailableError` when they could not be stored.
   * @throws TypeError for a collection of other writers
   */
  async write(changes: readonly DocumentChange[]): Promise<void> {
    const isAnyNode = this.#writers === "any-node";
    for (const { of } of changes) {
      if ((of.anyNode ?? false) !== isAnyNode) throw new TypeError(`${of.name} has other writers.`);
    }
    if (changes.length > 0) await this.#texts.write(changes);
  }

  async #read<S extends TSchema>(of: Collection<S>, key: string): Promise<Parsed<Static<S>> | undefined> {
    const text = await this.#texts.get(of, key);
    return text === null ? undefined : parse(of.value, jsonOf(of, text));
  }

  async #list<S extends TSchema>(of: Collection<S>, since: number): Promise<ReadDocument<Static<S>>[]> {
    const texts = await this.#texts.list(of, since);
    return texts.map(({ key, text }) => ({ key, read: parse(of.value, jsonOf(of, text)) }));
  }
}

const jsonOf = (of: Collection, text: string): unknown => (of.plain ? text : readJson(text));
