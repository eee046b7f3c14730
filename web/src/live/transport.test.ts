// @vitest-environment node
import { describe, expect, it } from "vitest";
import { transportSuite } from "./testing/transport.suite.ts";
import {
  startPollingRelay,
  startSilentPollingRelay,
  startSocketIoRelay,
} from "./testing/transport-relays.ts";
import { createSocketIoTransport, type Transport, type TransportConnection } from "./transport.ts";

const WITHIN_MS = 200;

transportSuite("transport of a browser", createSocketIoTransport, startSocketIoRelay);
transportSuite(
  "transport of a browser whose network refuses WebSockets",
  createSocketIoTransport,
  startPollingRelay,
);
transportSuite(
  "transport of a browser whose network answers no WebSocket",
  (origin) => repeated(createSocketIoTransport(origin, WITHIN_MS)),
  startSilentPollingRelay,
);

/** Repeat the first attempt if it fails, as a connection does. */
function repeated(transport: Transport): Transport {
  return {
    open(listener) {
      let connection = transport.open({
        ...listener,
        closed() {
          connection = transport.open(listener);
        },
      });
      return { send: (message) => connection.send(message), close: () => connection.close() };
    },
  };
}

describe("a network that answers no WebSocket", () => {
  it("[DOOR-2] costs one attempt: the next ones use polling alone, until one of them fails", async () => {
    const relay = await startSilentPollingRelay();
    const transport = createSocketIoTransport(relay.origin, WITHIN_MS);
    let reported: string[] = [];
    const connections: TransportConnection[] = [];
    const open = async (end: "opened" | "closed"): Promise<void> => {
      reported = [];
      const connection = transport.open({
        opened: () => reported.push("opened"),
        message: () => undefined,
        closed: () => reported.push("closed"),
      });
      connections.push(connection);
      await expect.poll(() => reported).toEqual([end]);
    };
    try {
      await open("closed");
      expect(relay.unanswered).toBe(1);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await open("opened");
        relay.clients.at(-1)?.cut();
        await expect.poll(() => reported).toEqual(["opened", "closed"]);
      }
      expect(relay.unanswered).toBe(1);
      relay.refuse();
      await open("closed");
      await open("closed");
      expect(relay.unanswered).toBe(2);
    } finally {
      for (const connection of connections) connection.close();
      await relay.close();
    }
  });
});
