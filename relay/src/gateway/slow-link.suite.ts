import { startTcpProxy, type TcpProxy } from "@mulkko/e2e/engines/tcp-proxy";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StateValue } from "../ports/streams.ts";
import { clientCopy } from "../testing/client-copy.ts";
import { type GatewayRig, startGatewayRig } from "../testing/gateway-rig.ts";
import type { Connect, LiveClient } from "../testing/live-client.ts";
import { until } from "../testing/until.ts";
import { createVisits } from "../testing/visits.ts";

/** 64 kbit/s, a phone at the edge of the field. */
const BYTES_PER_SECOND = 8_000;
const DEVICES = 5_000;
const STEP_MS = 250;
const WINDOW_BYTES = 64 * 1024;
/** Markers, `bye` and what a message has around it. */
const SLACK_BYTES = 8 * 1024;
/** LIVE-1: what a client bears of silence. */
const NOT_LIVE_MS = 35_000;

const key = (n: number): string => `sensor:${n}`;
const device = (n: number, round: number): StateValue => ({
  info: { id: n, name: `토양 ${n}`, type: "SOIL", serial: 24_110_000 + n, farm: `밭 ${n % 40}` },
  reading: { moisture: 20 + ((n + round) % 30), temperature: 18.5, ec: 1.2, battery: 3.6, rssi: -97 },
  at: "2026-11-21T03:00:00.000Z",
  heardAt: "2026-11-21T03:00:01.000Z",
  quality: "fresh",
  round,
});
const farm = (round: number): Record<string, StateValue> =>
  Object.fromEntries(Array.from({ length: DEVICES }, (_, n) => [key(n), device(n, round)]));

/** What a link that is slow or dead does to a session (SLOW-1 … 3), at one door: real sockets, time by hand. */
export function describeSlowLink(name: string, connect: Connect): void {
  describe(`${name} door over a bad link`, () => {
    const visits = createVisits(connect);
    let rig: GatewayRig;
    let proxy: TcpProxy;
    let afar: string;
    beforeEach(async () => {
      rig = await startGatewayRig();
      proxy = await startTcpProxy(rig.origin, rig.timers);
      afar = `http://127.0.0.1:${proxy.port}`;
      rig.farm.grant("token-a", "a", 24 * 3_600_000);
    });
    afterEach(async () => {
      visits.leaveAll();
      await proxy.close();
      await rig.app.close();
    });

    const account = () => rig.farm.account("a");
    const serverState = (): unknown => {
      const step = rig.farm.stream("a").changesSince(undefined);
      return step.kind === "snapshot" ? step.state : {};
    };
    const isLevel = (client: LiveClient): boolean =>
      clientCopy(client.received).position?.offset === rig.farm.stream("a").offset;

    /**
     * Lets time pass with everything that comes through meanwhile.
     * @returns the longest time in which the client heard nothing, ms
     */
    async function pass(client: LiveClient, isOver: () => boolean, mostMs: number, each?: () => void) {
      let silent = 0;
      let longest = 0;
      for (let passed = 0; passed < mostMs && !isOver(); passed += STEP_MS) {
        const before = client.received.length;
        each?.();
        rig.timers.advance(STEP_MS);
        await new Promise((resolve) => setTimeout(resolve, 1));
        silent = client.received.length > before ? 0 : silent + STEP_MS;
        longest = Math.max(longest, silent);
      }
      return longest;
    }
    const ended = () => rig.metrics.ended.map(({ code }) => code);
    const kinds = (client: LiveClient): ServerMessage["t"][] => client.received.map(({ t }) => t);

    it("[SLOW-3] a snapshot of 5,000 devices comes whole over 64 kbit/s while the farm goes on", async () => {
      account().change(farm(0));
      const client = await visits.greet(afar, "token-a");
      proxy.throttle(BYTES_PER_SECOND);
      client.say({ t: "subscribe", stream: "devices" });
      let rounds = 0;
      const live = (): void => {
        rounds += 1;
        if (rounds % 20 !== 0) return;
        const n = rounds % DEVICES;
        account().change({ [key(n)]: device(n, rounds) }, [key(DEVICES - 1 - n)]);
      };
      const whole = () => kinds(client).includes("change");
      const longest = await pass(client, whole, 3_600_000, live);
      await pass(client, () => isLevel(client), 600_000);
      const copy = clientCopy(client.received);
      expect(copy.state).toEqual(serverState());
      expect(copy.snapshots).toBe(1);
      expect(copy.broken).toEqual([]);
      expect(ended()).toEqual([]);
      expect(longest).toBeLessThan(NOT_LIVE_MS);
    });

    it("[SLOW-3] a flush of all 5,000 devices goes over that link in parts, and nobody falls silent", async () => {
      account().change(farm(0));
      const client = await visits.follow(afar, "token-a");
      const quick = await visits.follow(rig.origin, "token-a");
      await until(() => isLevel(client) && isLevel(quick));
      // Nothing is unconfirmed any more between a ping of LIVE-1 and the next beat: the window would take a whole frame.
      await pass(client, () => false, 27_000);
      proxy.throttle(BYTES_PER_SECOND);
      account().change(farm(1));
      account().change({ [key(7)]: device(7, 2) });
      await until(() => isLevel(quick));
      const longest = await pass(client, () => isLevel(client), 1_200_000);
      for (const one of [client, quick]) {
        const copy = clientCopy(one.received);
        expect(copy.state).toEqual(serverState());
        expect(copy.snapshots).toBe(1);
        expect(copy.broken).toEqual([]);
        expect(Math.max(...one.sizes)).toBeLessThan(33 * 1024);
      }
      expect(ended()).toEqual([]);
      expect(longest).toBeLessThan(NOT_LIVE_MS);
    });

    it("[SLOW-1] a client that stops reading costs one window, holds nobody up, and catches up at once", async () => {
      account().change({ [key(1)]: device(1, 0) });
      const deaf = await visits.follow(afar, "token-a");
      const quick = await visits.follow(rig.origin, "token-a");
      await until(() => isLevel(deaf) && isLevel(quick));
      proxy.swallowAnswers();
      const bytes = () => rig.metrics.tally("websocket").bytes + rig.metrics.tally("socketio").bytes;
      const [before, quickBefore] = [bytes(), sum(quick.sizes)];
      for (let round = 1; round <= 1_000; round += 1) {
        account().change({ [key(round % 10)]: device(round % 10, round) });
        if (round % 50 === 0) await until(() => isLevel(quick));
      }
      const toDeaf = bytes() - before - (sum(quick.sizes) - quickBefore);
      expect(toDeaf).toBeGreaterThan(32 * 1024);
      expect(toDeaf).toBeLessThan(WINDOW_BYTES + SLACK_BYTES);
      expect(clientCopy(quick.received).broken).toEqual([]);
      const heard = deaf.received.length;
      proxy.pass();
      await until(() => isLevel(deaf));
      const copy = clientCopy(deaf.received);
      expect(copy.state).toEqual(serverState());
      expect(copy.broken).toEqual([]);
      const late = deaf.received.slice(heard);
      expect(late.filter((one) => one.t === "change" && one.offset > one.from + 1)).toHaveLength(1);
    });

    it("[SLOW-2] a client that talks and reads nothing for 60 s is ended with 4008, and no other", async () => {
      account().change({ [key(1)]: device(1, 0) });
      const deaf = await visits.follow(afar, "token-a");
      const quick = await visits.follow(rig.origin, "token-a");
      await until(() => isLevel(deaf) && isLevel(quick));
      proxy.swallowAnswers();
      let seconds = 0;
      const talk = (): void => {
        seconds += STEP_MS / 1000;
        if (seconds % 10 !== 0) return;
        deaf.say({ t: "unsubscribe", stream: "events" });
        account().change({ [key(1)]: device(1, seconds) });
      };
      await pass(deaf, () => ended().length > 0, 59_000, talk);
      expect(ended()).toEqual([]);
      await pass(deaf, () => ended().length > 0, 30_000, talk);
      expect(ended()).toEqual([4008]);
      await until(() => isLevel(quick));
    });
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
