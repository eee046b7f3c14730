import type { StateValue } from "../ports/streams.ts";
import type { AccountStore, Store } from "../store/store.ts";

/** A field that no relay of this version knows. */
const MORE = { ofALaterVersion: "whatever it means" };
/** A kind of message that no relay of this version knows. */
const DANCE = { kind: "dance", steps: 3 };

const more = (value: StateValue): StateValue => ({ ...value, ...MORE });

/** The same, with a field more in every object that has a name; maps of values stay maps. */
function deeper(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeper);
  if (typeof value !== "object" || value === null) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deeper(each)])), ...MORE };
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
  };
}

/**
 * The store as a relay of a later version uses it: in everything that it keeps or says there are fields that this
 * version does not know, and before each message comes one of a kind that it does not know either (NODE-6).
 */
export function ofLaterVersion(store: Store): Store {
  const same: Store = Object.create(store);
  return Object.assign(same, {
    inbox: {
      onMessage: store.inbox.onMessage,
      async send(accountId: string, message: object) {
        await store.inbox.send(accountId, DANCE);
        await store.inbox.send(accountId, objectOf(deeper(message)));
      },
    },
    node: {
      id: store.node.id,
      onTold: store.node.onTold,
      async tell(nodeId: string, message: object) {
        await store.node.tell(nodeId, DANCE);
        await store.node.tell(nodeId, objectOf(deeper(message)));
      },
    },
    claim: async (accountId: string) => accountOfLaterVersion(await store.claim(accountId)),
  });
}
