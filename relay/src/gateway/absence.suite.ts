import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import { type ClientCopy, clientCopy } from "../testing/client-copy.ts";
import { type GatewayRig, startGatewayRig } from "../testing/gateway-rig.ts";
import { type Connect, connectSocketIo, connectWebSocket, type LiveClient } from "../testing/live-client.ts";
import { openStoredAccount, type StoredAccount } from "../testing/stored-account.ts";
import { until } from "../testing/until.ts";
import { createVisits, type Standing } from "../testing/visits.ts";

/** Nodes on one store, and the time that they go by. */
export interface StoreNodes {
  readonly clock: FakeClock;
  readonly stores: readonly Store[];
  /** Of a shard that somebody owns. */
  readonly accountId: string;
  close(): Promise<void>;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const TOKEN = "token-a";
const TEXT = "x".repeat(400);
const DOORS: readonly (readonly [string, Connect])[] = [
  ["plain WebSocket", connectWebSocket],
  ["Socket.IO", connectSocketIo],
];

/** What a client gets that was away, at both doors over a real store (SUB-2 … 5). */
export function describeAbsence(open: () => Promise<StoreNodes>): void {
  describe.each(DOORS)("%s door", (_name, connect) => {
    const visits = createVisits(connect);
    let nodes: StoreNodes;
    let account: StoredAccount;
    let rig: GatewayRig;
    beforeEach(async () => {
      nodes = await open();
      account = await openStoredAccount(nodes.accountId, nodes.clock, nodes.stores);
      const { devices, events } = account.streams;
      rig = await startGatewayRig({}, (farm) => ({
        ...farm,
        owners: {
          ...farm.owners,
          view: async (...who) => ({ ...(await farm.owners.view(...who)), devices, events }),
        },
      }));
      rig.farm.grant(TOKEN, nodes.accountId, 48 * HOUR_MS);
      await account.change({ "sensor:1": { n: 1 }, "sensor:2": { n: 1 }, "sensor:3": { n: 1 } });
      for (let n = 1; n <= 3; n += 1) await account.flip(n);
      await account.level();
    });
    afterEach(async () => {
      visits.leaveAll();
      await rig.app.close();
      await nodes.close();
    });

    /** Comes back from where it stands, and is told everything. */
    async function comeBack(standing?: Standing): Promise<LiveClient> {
      const client = await visits.follow(rig.origin, TOKEN, standing);
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
    const standingOf = (copy: ClientCopy): Standing => ({
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
        const leftAt = rig.metrics.catchUps.length;
        // What goes at the beginning of a day's absence has no tombstone left at its end.
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
        const second = await comeBack(standingOf(stood));
        const copy = clientCopy([...first.received, ...second.received]);
        expect(copy.state).toEqual(account.state);
        expect(Object.keys(copy.state)).not.toContain("sensor:2");
        expect(Object.keys(copy.state)).not.toContain("sensor:3");
        expect(copy.broken).toEqual([]);
        expect(copy.events).toEqual(Array.from({ length: 3 + missed }, (_, index) => index + 1));
        expect(rig.metrics.catchUps.slice(leftAt)).toEqual([{ by, cause: "subscribe" }]);
        const told = second.received.filter((one) => "stream" in one && one.stream === "devices");
        expect(told.map(({ t }) => t)).toEqual(by === "resume" ? ["change", "resumed"] : ["snapshot"]);
      },
    );

    it("[SUB-3] coming back twice without traffic tells nothing a second time", async () => {
      before = [];
      const first = await comeBack();
      const all = [...first.received];
      await visits.leave(first);
      for (let time = 0; time < 2; time += 1) {
        before = all;
        const again = await comeBack(standingOf(clientCopy(all)));
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

    it("[SUB-3] an epoch that turns between the parts of a snapshot is followed by the whole new one", async () => {
      const many = Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`sensor:${n}`, { n, text: TEXT }]),
      );
      await account.change(many);
      await account.level();
      before = [];
      const client = await visits.greet(rig.origin, TOKEN);
      client.holdMarkers();
      client.say({ t: "subscribe", stream: "devices" });
      await until(() => client.heldMarkers > 0);
      const old = account.streams.devices.epoch;
      // What the owner keeps: a part of what the running snapshot holds, and something new.
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
