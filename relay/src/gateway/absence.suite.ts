import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientCopy, clientCopy } from "../../testing/client-copy.ts";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import {
  type Connect,
  connectPolling,
  connectSocketIo,
  connectWebSocket,
  type LiveClient,
} from "../../testing/live-client.ts";
import { openStoredAccount, type StoredAccount } from "../../testing/stored-account.ts";
import { until } from "../../testing/until.ts";
import { type ClientPosition, createVisits } from "../../testing/visits.ts";
import type { Store } from "../store/store.ts";

/** Nodes on one store, and their clock. */
export interface StoreNodes {
  readonly clock: FakeClock;
  readonly stores: readonly Store[];
  /** An account of an owned shard. */
  readonly accountId: string;
  close(): Promise<void>;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const TOKEN = "token-a";
const TEXT = "x".repeat(400);
const TRANSPORTS: readonly (readonly [string, Connect])[] = [
  ["plain WebSocket", connectWebSocket],
  ["Socket.IO", connectSocketIo],
  ["Socket.IO over polling", connectPolling],
];

/** Define what a client gets after an absence, on both transports over a real store (SUB-2 … 5). */
export function describeAbsence(open: () => Promise<StoreNodes>): void {
  describe.each(TRANSPORTS)("%s transport", (_name, connect) => {
    const visits = createVisits(connect);
    let nodes: StoreNodes;
    let account: StoredAccount;
    let harness: GatewayHarness;
    beforeEach(async () => {
      nodes = await open();
      account = await openStoredAccount(nodes.accountId, nodes.clock, nodes.stores);
      const { devices, events } = account.streams;
      harness = await startGatewayHarness({}, (farm) => ({
        ...farm,
        owners: {
          ...farm.owners,
          view: async (...who) => ({ ...(await farm.owners.view(...who)), devices, events }),
        },
      }));
      harness.farm.grant(TOKEN, nodes.accountId, 48 * HOUR_MS);
      await account.change({ "sensor:1": { n: 1 }, "sensor:2": { n: 1 }, "sensor:3": { n: 1 } });
      for (let n = 1; n <= 3; n += 1) await account.flip(n);
      await account.level();
    });
    afterEach(async () => {
      visits.leaveAll();
      await harness.app.close();
      await nodes.close();
    });

    /** Reconnect from a position, and receive everything. */
    async function comeBack(from?: ClientPosition): Promise<LiveClient> {
      const client = await visits.follow(harness.origin, TOKEN, from);
      await until(() => isLevel([...before, ...client.received]));
      return client;
    }
    let before: LiveClient["received"] = [];
    const isLevel = (messages: LiveClient["received"]): boolean => {
      const { position, events } = clientCopy(messages);
      const { devices, events: log } = account.streams;
      return (
        position?.epoch === devices.epoch &&
        position.offset === devices.offset &&
        events.at(-1) === log.offset
      );
    };
    const positionOf = (copy: ClientCopy): ClientPosition => ({
      devices: copy.position,
      events: { epoch: account.streams.events.epoch, offset: copy.events.at(-1) ?? 0 },
    });

    it.each([
      ["5 s", 5 * SECOND_MS, 4, "resume"],
      ["10 min", 600 * SECOND_MS, 240, "resume"],
      ["25 h", 25 * HOUR_MS, 240, "snapshot"],
    ] as const)(
      "[SUB-3] away for %s: one catch-up to the server's state, and every event once",
      async (...row) => {
        const [, away, missed, by] = row;
        before = [];
        const first = await comeBack();
        const stood = clientCopy(first.received);
        await visits.leave(first);
        const leftAt = harness.metrics.catchUps.length;
        // A key removed early in a day's absence has no tombstone left at its end.
        await account.change({}, ["sensor:2"]);
        await account.level();
        nodes.clock.advance(away);
        for (let n = 1; n <= missed; n += 1) {
          if (n % 20 === 0 || n < 4)
            await account.change({ "sensor:1": { n }, [`sensor:1${n}`]: { text: TEXT } });
          await account.flip(n);
        }
        await account.change({ "sensor:4": { n: 9 } }, ["sensor:3"]);
        await account.level();
        before = first.received;
        const second = await comeBack(positionOf(stood));
        const copy = clientCopy([...first.received, ...second.received]);
        expect(copy.state).toEqual(account.state);
        expect(Object.keys(copy.state)).not.toContain("sensor:2");
        expect(Object.keys(copy.state)).not.toContain("sensor:3");
        expect(copy.broken).toEqual([]);
        expect(copy.events).toEqual(Array.from({ length: 3 + missed }, (_, index) => index + 1));
        expect(harness.metrics.catchUps.slice(leftAt)).toEqual([{ by, cause: "subscribe" }]);
        const received = second.received.filter((one) => "stream" in one && one.stream === "devices");
        expect(received.map(({ t }) => t)).toEqual(by === "resume" ? ["change", "resumed"] : ["snapshot"]);
      },
    );

    it("[SUB-3] repeats nothing after two reconnects without traffic", async () => {
      before = [];
      const first = await comeBack();
      const all = [...first.received];
      await visits.leave(first);
      for (let time = 0; time < 2; time += 1) {
        before = all;
        const again = await comeBack(positionOf(clientCopy(all)));
        await again.next("resumed");
        await again.next("resumed");
        expect(again.received.map(({ t }) => t)).toEqual(["welcome", "link", "resumed", "resumed"]);
        expect(again.received.filter((one) => one.t === "resumed" && one.changed === 0)).toHaveLength(2);
        all.push(...again.received);
        await visits.leave(again);
      }
      const copy = clientCopy(all);
      expect(copy.broken).toEqual([]);
      expect(copy.snapshots).toBe(1);
      expect(copy.events).toEqual([1, 2, 3]);
    });

    it("[SUB-3] follows an epoch that changes between the parts of a snapshot with the whole new one", async () => {
      const many = Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`sensor:${n}`, { n, text: TEXT }]),
      );
      await account.change(many);
      await account.level();
      before = [];
      const client = await visits.greet(harness.origin, TOKEN);
      client.holdMarkers();
      client.say({ t: "subscribe", stream: "devices" });
      await until(() => client.heldMarkers > 0);
      const old = account.streams.devices.epoch;
      // The owner's new state: a part of the running snapshot, and a new key.
      await account.beginEpoch({ "sensor:1": { n: -1 }, "sensor:999": { n: -1 } });
      await account.change({ "sensor:2": { n: -2 } });
      await until(() => account.streams.devices.epoch !== old && account.streams.devices.offset === 1);
      client.releaseMarkers();
      await until(() => {
        const { position } = clientCopy(client.received);
        return position?.epoch === account.streams.devices.epoch && position.offset === 1;
      });
      const copy = clientCopy(client.received);
      expect(copy.state).toEqual({ "sensor:1": { n: -1 }, "sensor:999": { n: -1 }, "sensor:2": { n: -2 } });
      expect(copy.broken).toEqual([]);
      const epochs = client.received.flatMap((one) => (one.t === "snapshot" ? [one.epoch] : []));
      expect(epochs.indexOf(account.streams.devices.epoch)).toBe(epochs.lastIndexOf(old) + 1);
    });
  });
}
