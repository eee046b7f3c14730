import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Transport, TransportConnection } from "../transport.ts";
import type { TransportClient, TransportRelay } from "./transport-relays.ts";

const beat = (second: number) => ({ t: "beat", serverTime: `2026-11-21T03:00:0${second}Z` }) as const;

/** Contract of every transport, tested against a relay on a real network socket. */
export function transportSuite(
  name: string,
  createTransport: (origin: string) => Transport,
  startRelay: () => Promise<TransportRelay>,
): void {
  describe(name, () => {
    let relay: TransportRelay;
    let reported: string[];
    let messages: unknown[];
    let connection: TransportConnection | null;

    beforeEach(async () => {
      relay = await startRelay();
      reported = [];
      messages = [];
      connection = null;
    });
    afterEach(async () => {
      connection?.close();
      await relay.close();
    });

    const open = (origin = relay.origin): TransportConnection => {
      connection = createTransport(origin).open({
        opened: () => reported.push("opened"),
        message: (raw) => messages.push(raw),
        closed: () => reported.push("closed"),
      });
      return connection;
    };
    const enter = async (): Promise<{ client: TransportClient; own: TransportConnection }> => {
      const own = open();
      await expect.poll(() => reported).toEqual(["opened"]);
      await expect.poll(() => relay.clients.length).toBe(1);
      const client = relay.clients[0];
      if (!client) throw new Error("no client connected");
      return { client, own };
    };

    it("[HS-1] carries messages both ways, complete and in order", async () => {
      const { client, own } = await enter();
      own.send({ t: "hello", protocol: 1, token: "물꼬 token" });
      own.send({ t: "subscribe", stream: "devices", position: { epoch: "e1", offset: 7 } });
      await expect
        .poll(() => client.received)
        .toEqual([
          { t: "hello", protocol: 1, token: "물꼬 token" },
          { t: "subscribe", stream: "devices", position: { epoch: "e1", offset: 7 } },
        ]);
      for (const second of [1, 2, 3]) client.say(beat(second));
      await expect.poll(() => messages).toEqual([beat(1), beat(2), beat(3)]);
    });

    it("[SLOW-1] confirms processed messages, and passes no marker on", async () => {
      const { client } = await enter();
      client.say(beat(1));
      let confirmed = false;
      client.mark(() => {
        confirmed = true;
      });
      await expect.poll(() => confirmed).toBe(true);
      await expect.poll(() => messages).toEqual([beat(1)]);
    });

    it("[LIVE-2] reports a broken connection once, and leaves reconnecting to its user", async () => {
      const { client } = await enter();
      client.cut();
      await expect.poll(() => reported).toEqual(["opened", "closed"]);
      expect(relay.clients).toHaveLength(1);
    });

    it("[LIVE-2] reports a missing answer", async () => {
      await relay.close();
      open(relay.origin);
      await expect.poll(() => reported).toEqual(["closed"]);
      relay = await startRelay();
    });

    it("[LIVE-2] leaves without a report when closed by its user", async () => {
      const { client, own } = await enter();
      own.close();
      await expect.poll(() => client.isGone()).toBe(true);
      expect(reported).toEqual(["opened"]);
    });
  });
}
