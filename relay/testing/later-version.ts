import type { DocumentChange } from "../src/store/collections.ts";
import type { Documents } from "../src/store/documents.ts";
import type { AccountStore, Store } from "../src/store/store.ts";
import type { StateValue } from "../src/store/streams.ts";

/** A field unknown to relays of this version. */
const MORE = { ofALaterVersion: "whatever it means" };
/** A kind of message unknown to relays of this version. */
const DANCE = { kind: "dance", steps: 3 };

const more = (value: StateValue): StateValue => ({ ...value, ...MORE });

/** Maps: their fields are keys, to which no later version adds. */
const MAPS = new Set(["controllers", "channels", "beats"]);

/** Return the value with a field that this version does not know in every object (NODE-6). */
export function widened(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => widened(each));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, widened(each, key)]);
  return { ...Object.fromEntries(fields), ...(!MAPS.has(name) && MORE) };
}

const objectOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

function frameBytes(bytes: Buffer): Buffer {
  const message: Record<string, unknown> = { ...objectOf(JSON.parse(bytes.toString())), ...MORE };
  for (const name of ["set", "patch"]) {
    const values = Object.entries(objectOf(message[name])).map(([key, value]) => [
      key,
      { ...objectOf(value), ...MORE },
    ]);
    if (values.length > 0) message[name] = Object.fromEntries(values);
  }
  return Buffer.from(JSON.stringify(message));
}

/** Documents with a field more in each; one that is no object stays as it is. */
function documentsOfLaterVersion(documents: Documents): Documents {
  const write = (changes: readonly DocumentChange[]): Promise<void> =>
    documents.write(
      changes.map((change) => {
        if (change.text === null || change.of.plain) return change;
        const value: unknown = JSON.parse(change.text);
        const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
        return isObject ? { ...change, text: JSON.stringify({ ...value, ...MORE }) } : change;
      }),
    );
  return new Proxy(documents, {
    get(target, name) {
      if (name === "write") return write;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function accountOfLaterVersion(account: AccountStore): AccountStore {
  return {
    ...account,
    beginEpoch: (values) =>
      account.beginEpoch(new Map([...values].map(([key, value]) => [key, more(value)]))),
    step: ({ set, del, frame }) =>
      account.step({
        set: new Map([...set].map(([key, value]) => [key, more(value)])),
        del,
        frame: { ...frame, bytes: frameBytes(frame.bytes) },
      }),
    append: (event) => account.append({ ...event, ...MORE }),
    documents: documentsOfLaterVersion(account.documents),
  };
}

/**
 * Return the store as a relay of a later version uses it (NODE-6). Everything that it stores or sends has
 * fields that this version does not know. Before each message it sends one of an unknown kind.
 */
export function ofLaterVersion(store: Store): Store {
  const same: Store = Object.create(store);
  const parts: Pick<Store, "inbox" | "node" | "claim"> = {
    inbox: {
      onMessage: store.inbox.onMessage,
      async send(accountId: string, message: object) {
        await store.inbox.send(accountId, DANCE);
        await store.inbox.send(accountId, objectOf(widened(message)));
      },
    },
    node: {
      id: store.node.id,
      onMessage: store.node.onMessage,
      async send(nodeId: string, message: object) {
        await store.node.send(nodeId, DANCE);
        await store.node.send(nodeId, objectOf(widened(message)));
      },
      async sendToOthers(message: object) {
        await store.node.sendToOthers(DANCE);
        await store.node.sendToOthers(objectOf(widened(message)));
      },
    },
    claim: async (accountId: string) => accountOfLaterVersion(await store.claim(accountId)),
  };
  return Object.assign(same, parts);
}
