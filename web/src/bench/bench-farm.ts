import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import { type Clock, systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { createLiveClient, createTicker, type LiveClient } from "../live/live-client.ts";
import type { TransportListener } from "../live/transport.ts";

/** A live client whose relay is simulated in this page: it sends the given messages as JSON. */
export interface BenchFarm {
  readonly client: LiveClient;
  /** Return a frame with a new reading of every sensor, as text. */
  nextFrame(): string;
  /** Process a received frame and render it at once instead of at the next frame. */
  receive(frame: string): void;
}

export interface BenchFarmOptions {
  readonly sensors: number;
  /** Device types, used in rotation. */
  readonly types: readonly string[];
  readonly widget: boolean;
  /** Called with each message of the client. */
  readonly onSaid?: (message: ClientMessage) => void;
  /** Default: the machine's own clock. */
  readonly clock?: Clock;
}

/** Types with measurements only. */
export const MEASURING = DEVICE_TYPES.map(({ type }) => type).filter((type) => type !== "COT");

const TOKENS = { current: async () => "token", renew: async () => "token", onToken: () => () => undefined };

export async function createBenchFarm(options: BenchFarmOptions): Promise<BenchFarm> {
  const { sensors, types, widget, clock = systemClock } = options;
  const random = seededRandom(7);
  const waiting: (() => void)[] = [];
  let listener: TransportListener | null = null;
  const client = createLiveClient(TOKENS, {
    transport: {
      open(opened) {
        listener = opened;
        return { send: (message) => options.onSaid?.(message), close: () => undefined };
      },
    },
    clock,
    timers: systemTimers,
    random,
    ticker: createTicker(),
    isVisible: () => true,
    nextFrame: (flush) => waiting.push(flush),
  });
  const typeOf = (index: number) => DEVICE_TYPES.find(({ type }) => type === types[index % types.length]);
  const readingOf = (index: number) =>
    Object.fromEntries(
      (typeOf(index)?.fields ?? []).map(({ name, range }) => [
        name,
        Math.round((Math.max(range[0], 0) + random() * Math.min(80, range[1] - range[0])) * 10) / 10,
      ]),
    );
  const lastSeen = (index: number) => {
    const now = new Date(clock.now()).toISOString();
    return { reading: readingOf(index), at: now, heardAt: now };
  };
  const stateOf = (index: number): [string, Record<string, unknown>] => {
    const id = `s${index}`;
    const deviceType = types[index % types.length] ?? "SMS";
    const info = { id, deviceType, serial: 100_000 + index, name: `House ${index}`, widget };
    return [`sensor:${id}`, { info, quality: "fresh", via: "mqtt", ...lastSeen(index) }];
  };
  const say = (message: unknown) => {
    listener?.message(message);
    for (const flush of waiting.splice(0)) flush();
  };
  client.start();
  await Promise.resolve();
  const until = () => new Promise((resolve) => setTimeout(resolve));
  for (let turn = 0; turn < 50 && listener === null; turn += 1) await until();
  const opened: TransportListener | null = listener;
  if (opened === null) throw new Error("the client has not asked for a connection");
  Reflect.apply(Reflect.get(opened, "opened"), opened, []);
  say({
    t: "welcome",
    protocol: 1,
    session: "bench",
    node: "bench",
    build: "dev",
    serverTime: new Date(clock.now()).toISOString(),
    ttl: 86_400,
    apiTimezone: "Asia/Seoul",
    account: { id: "bench", userType: "USER", timezone: "Asia/Seoul" },
  });
  await until();
  const state = Object.fromEntries(Array.from({ length: sensors }, (_, index) => stateOf(index)));
  let offset = 1;
  say({ t: "snapshot", stream: "devices", epoch: "e", offset, part: 1, of: 1, state });
  say({ t: "snapshot", stream: "events", epoch: "e", offset: 0, part: 1, of: 1, state: [] });
  return {
    client,
    nextFrame() {
      const patch = Object.fromEntries(
        Array.from({ length: sensors }, (_, index) => [`sensor:s${index}`, lastSeen(index)]),
      );
      const from = offset;
      offset += 1;
      return JSON.stringify({ t: "change", stream: "devices", from, offset, patch });
    },
    receive: (frame) => say(JSON.parse(frame)),
  };
}
