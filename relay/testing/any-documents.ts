import type { Parsed } from "@mulkko/shared/schema/parse";
import Type, { type Static, type TSchema } from "typebox";
import { ALARMS } from "../src/alarms/alarm-persistence.ts";
import { SETTINGS } from "../src/settings/settings-service.ts";
import type { DatedCollection, KeyedCollection, SingleCollection } from "../src/store/collections.ts";
import type { Documents } from "../src/store/documents.ts";
import { COMMANDS } from "../src/valves/command-log.ts";
import { INTENTS } from "../src/valves/intent.ts";
import { WATERINGS } from "../src/valves/waterings/watering-registry.ts";

/** Collections of the product in which a test of the stores keeps any JSON. */
const value = Type.Unknown();
export const anyIntents = { ...INTENTS, value } as const satisfies KeyedCollection;
export const anyCommands = { ...COMMANDS, value } as const satisfies DatedCollection;
export const anyWaterings = { ...WATERINGS, value } as const satisfies DatedCollection;
export const anyAlarms = { ...ALARMS, value } as const satisfies DatedCollection;
export const anySettings = { ...SETTINGS, value } as const satisfies SingleCollection;

const read = <T>(parsed: Parsed<T> | undefined): T | undefined => (parsed?.ok ? parsed.value : undefined);

/** Return all documents that fit their schema, with their keys. */
export async function listed<S extends TSchema>(
  documents: Documents,
  of: KeyedCollection<S> | DatedCollection<S>,
): Promise<[string, Static<S>][]> {
  const all = await documents.list(of);
  return all.flatMap((one): [string, Static<S>][] => (one.read.ok ? [[one.key, one.read.value]] : []));
}

/** Return a document; undefined if there is none. */
export const found = async (
  documents: Documents,
  of: KeyedCollection | DatedCollection,
  key: string,
): Promise<unknown> => read(await documents.get(of, key));

/** Return the documents since a time, ms UTC. */
export const foundSince = async (documents: Documents, of: DatedCollection, at: number): Promise<unknown[]> =>
  (await documents.since(of, at)).map(read);

/** Return an account's single document; undefined if there is none. */
export const foundSingle = async (documents: Documents, of: SingleCollection): Promise<unknown> =>
  read(await documents.single(of));

/** Return documents in which some methods are others. */
export const changed = (documents: Documents, methods: Partial<Documents>): Documents =>
  new Proxy(documents, {
    get(target, name) {
      const other: unknown = Reflect.get(methods, name);
      const own: unknown = Reflect.get(target, name);
      return other ?? (typeof own === "function" ? own.bind(target) : own);
    },
  });
