import { createListeners } from "../../streams/listeners.ts";
import type { Inbox, NodeMessages } from "../store.ts";

/** Inbox and messages of the only node: what it sends, it gets. */
export function createOwnMessages(
  id: string,
  onError: (error: unknown) => void,
): { inbox: Inbox; node: NodeMessages } {
  const work = createListeners<{ accountId: string; message: unknown }>(onError);
  const told = createListeners<{ message: unknown; from: string }>(onError);
  return {
    inbox: {
      async send(accountId, message) {
        work.call({ accountId, message: copyOf(message) });
      },
      onMessage: (handler) => work.add(({ accountId, message }) => handler(accountId, message)),
    },
    node: {
      id,
      async tell(nodeId, message) {
        if (nodeId === id) told.call({ message: copyOf(message), from: id });
      },
      tellOthers: async () => undefined,
      onTold: (handler) => told.add(({ message, from }) => handler(message, from)),
    },
  };
}

/** As it would come over a wire: a handler can count on nothing but JSON. */
const copyOf = (message: object): unknown => JSON.parse(JSON.stringify(message));
