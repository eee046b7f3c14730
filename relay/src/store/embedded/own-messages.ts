import type { Inbox, NodeMessages } from "../store.ts";
import { createListeners } from "../streams/listeners.ts";

/** Create the inbox and messages of a single node: it receives what it sends. */
export function createOwnMessages(
  id: string,
  onError: (error: unknown) => void,
): { inbox: Inbox; node: NodeMessages } {
  const work = createListeners<{ accountId: string; message: unknown }>(onError);
  const listeners = createListeners<{ message: unknown; from: string }>(onError);
  return {
    inbox: {
      async send(accountId, message) {
        work.call({ accountId, message: copyOf(message) });
      },
      onMessage: (handler) => work.add(({ accountId, message }) => handler(accountId, message)),
    },
    node: {
      id,
      async send(nodeId, message) {
        if (nodeId === id) listeners.call({ message: copyOf(message), from: id });
      },
      sendToOthers: async () => undefined,
      onMessage: (handler) => listeners.add(({ message, from }) => handler(message, from)),
    },
  };
}

/** Copy a message as JSON, so that a handler gets the same types as over a network. */
const copyOf = (message: object): unknown => JSON.parse(JSON.stringify(message));
