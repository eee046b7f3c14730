import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientCopy } from "../../testing/client-copy.ts";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import type { Connect, LiveClient } from "../../testing/live-client.ts";
import { until } from "../../testing/until.ts";
import { createVisits } from "../../testing/visits.ts";
import { type StateValue, stateOf } from "../store/streams.ts";

/** 64 kbit/s, a phone at the edge of the field. */
const BYTES_PER_SECOND = 8_000;
const DEVICES = 5_000;
const STEP_MS = 250;
const WINDOW_BYTES = 64 * 1024;
/** Bytes of markers, `bye` and a message's envelope. */
const SLACK_BYTES = 8 * 1024;
/** LIVE-1: ms of silence that a client accepts. */
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

/**
 * Define the effects of a slow or dead connection on a session (SLOW-1 … 3), for one transport: real sockets,
 * fake time.
 */
export function describeSlowLink(name: string, connect: Connect): void {
  describe(`${name} transport over a bad connection`, () => {
    const visits = createVisits(connect);
    let harness: GatewayHarness;
    let proxy: TcpProxy;
    let afar: string;
    beforeEach(async () => {
      harness = await startGatewayHarness();
      proxy = await startTcpProxy(harness.origin, harness.timers);
      afar = `http://127.0.0.1:${proxy.port}`;
      harness.farm.grant("token-a", "a", 24 * 3_600_000);
    });
    afterEach(async () => {
      visits.leaveAll();
      await proxy.close();
      await harness.close();
    });

    const account = () => harness.farm.account("a");
    const serverState = () => stateOf(harness.farm.stream("a"));
    const isLevel = (client: LiveClient): boolean =>
      clientCopy(client.received).position?.offset === harness.farm.stream("a").offset;

    /**
     * Let time pass while messages come through.
     * @returns the longest time without a message for the client, ms
     */
    async function pass(client: LiveClient, isOver: () => boolean, mostMs: number, each?: () => void) {
      let silent = 0;
      let longest = 0;
      for (let passed = 0; passed < mostMs && !isOver(); passed += STEP_MS) {
        const before = client.received.length;
        each?.();
        harness.timers.advance(STEP_MS);
        await new Promise((resolve) => setTimeout(resolve, 1));
        silent = client.received.length > before ? 0 : silent + STEP_MS;
        longest = Math.max(longest, silent);
      }
      return longest;
    }
    const ended = () => harness.metrics.ended.map(({ code }) => code);
    const kinds = (client: LiveClient): ServerMessage["t"][] => client.received.map(({ t }) => t);

    it("[SLOW-3] a snapshot of 5,000 devices arrives completely over 64 kbit/s while the farm changes", async () => {
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

    it("[SLOW-3] a flush of all 5,000 devices goes over that connection in parts, without a long silence", async () => {
      account().change(farm(0));
      const client = await visits.follow(afar, "token-a");
      const quick = await visits.follow(harness.origin, "token-a");
      await until(() => isLevel(client) && isLevel(quick));
      // Between a ping of LIVE-1 and the next beat nothing is unconfirmed: the window would accept a whole
      // frame.
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

    it("[SLOW-1] a client that stops reading costs one window, delays no other, and catches up at once", async () => {
      account().change({ [key(1)]: device(1, 0) });
      const deaf = await visits.follow(afar, "token-a");
      const quick = await visits.follow(harness.origin, "token-a");
      await until(() => isLevel(deaf) && isLevel(quick));
      proxy.swallowAnswers();
      const bytes = () => harness.metrics.tally("websocket").bytes + harness.metrics.tally("socketio").bytes;
      const [before, quickBefore] = [bytes(), sum(quick.sizes)];
      for (let round = 1; round <= 1_000; round += 1) {
        account().change({ [key(round % 10)]: device(round % 10, round) });
        if (round % 50 === 0) await until(() => isLevel(quick));
      }
      const toDeaf = bytes() - before - (sum(quick.sizes) - quickBefore);
      expect(toDeaf).toBeGreaterThan(32 * 1024);
      expect(toDeaf).toBeLessThan(WINDOW_BYTES + SLACK_BYTES);
      expect(clientCopy(quick.received).broken).toEqual([]);
      const received = deaf.received.length;
      proxy.pass();
      await until(() => isLevel(deaf));
      const copy = clientCopy(deaf.received);
      expect(copy.state).toEqual(serverState());
      expect(copy.broken).toEqual([]);
      const late = deaf.received.slice(received);
      expect(late.filter((one) => one.t === "change" && one.offset > one.from + 1)).toHaveLength(1);
    });

    it("[SLOW-2] a client that sends but reads nothing for 60 s ends with 4008, and no other does", async () => {
      account().change({ [key(1)]: device(1, 0) });
      const deaf = await visits.follow(afar, "token-a");
      const quick = await visits.follow(harness.origin, "token-a");
      await until(() => isLevel(deaf) && isLevel(quick));
      // The answers of a WebSocket, or of the open poll: a polling client sends on another request.
      proxy.swallowAnswersOf((sent) => sent.startsWith("GET "));
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
