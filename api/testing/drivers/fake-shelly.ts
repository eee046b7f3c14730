import type { Clock } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { MqttClient } from "mqtt";
import { Type } from "typebox";

const Request = Type.Object({
  id: Type.Union([Type.String(), Type.Number()]),
  src: Type.String(),
  method: Type.String(),
  params: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      on: Type.Optional(Type.Boolean()),
      toggle_after: Type.Optional(Type.Number()),
      config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});

interface Switch {
  output: boolean;
  startedAt: number | null;
  seconds: number;
  config: Record<string, unknown>;
}

export interface FakeShelly {
  /** Received methods, with the switch or, where it is of none, the request. */
  readonly asked: readonly string[];
  isOpen(id: number): boolean;
  configOf(id: number): Readonly<Record<string, unknown>>;
  /** Press the device's own button. */
  press(id: number): Promise<void>;
  /** Run the timers that are due. */
  tick(): Promise<void>;
  /** Lose power, and come back on a new connection. */
  reboot(): Promise<void>;
  leave(): Promise<void>;
}

/** Imitate a four-channel Shelly Gen2: RPC over MQTT, timers, and stored settings. */
export async function startFakeShelly(options: {
  readonly connect: () => Promise<MqttClient>;
  readonly address: string;
  readonly clock: Clock;
  /** True: it ignores all messages. */
  readonly isDeaf?: boolean;
  /** True: it refuses configuration. */
  readonly isLocked?: boolean;
}): Promise<FakeShelly> {
  const { connect, address, clock, isDeaf = false, isLocked = false } = options;
  const switches: Switch[] = Array.from({ length: 4 }, () => ({
    output: false,
    startedAt: null,
    seconds: 0,
    config: { initial_state: "match_input", auto_on: false, auto_off: false, auto_off_delay: 60 },
  }));
  const asked: string[] = [];
  let client: MqttClient;

  const statusOf = (id: number): object => {
    const { output, startedAt, seconds } = switches[id] ?? { output: false, startedAt: null, seconds: 0 };
    const timer = startedAt === null ? {} : { timer_started_at: startedAt / 1_000, timer_duration: seconds };
    return { id, source: "MQTT", output, ...timer };
  };
  /** Publish if connected. */
  async function say(topic: string, body: object | string): Promise<void> {
    if (!client.connected) return;
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    await client.publishAsync(topic, payload, { qos: 1 }).catch(() => undefined);
  }

  async function turn(id: number, on: boolean, seconds: number | undefined): Promise<boolean> {
    const one = switches[id];
    if (!one) return false;
    const before = one.output;
    const auto = on && one.config.auto_off === true ? Number(one.config.auto_off_delay) : undefined;
    const timer = seconds ?? auto;
    Object.assign(one, { output: on, startedAt: timer ? clock.now() : null, seconds: timer ?? 0 });
    const params = { ts: clock.now() / 1_000, [`switch:${id}`]: statusOf(id) };
    await say(`${address}/events/rpc`, {
      src: address,
      dst: `${address}/events`,
      method: "NotifyStatus",
      params,
    });
    return before;
  }

  async function resultOf(
    method: string,
    params: { id: number; on?: boolean; toggle_after?: number; config?: object },
  ) {
    const one = switches[params.id];
    switch (method) {
      case "Switch.Set":
        return { was_on: await turn(params.id, params.on === true, params.toggle_after) };
      case "Switch.SetConfig":
        Object.assign(one?.config ?? {}, params.config);
        return { restart_required: false };
      case "Switch.GetConfig":
        return { id: params.id, name: null, in_mode: "follow", ...one?.config };
      default:
        return null;
    }
  }

  /** Every component's status; the time is in whole seconds, as the device's. */
  const wholeStatus = (): object => ({
    ...Object.fromEntries(switches.map((_, id) => [`switch:${id}`, statusOf(id)])),
    sys: { mac: "A8032ABE54DC", restart_required: false, unixtime: Math.floor(clock.now() / 1_000) },
  });

  async function obey(payload: string): Promise<void> {
    const parsed = parseJson(Request, payload);
    if (!parsed.ok) throw new Error(`the Shelly was sent ${payload}: ${parsed.path} ${parsed.message}`);
    const { id, src, method, params } = parsed.value;
    asked.push(`${method} ${params ? params.id : id}`);
    const isRefused = isLocked && method === "Switch.SetConfig";
    const answer = async () => {
      if (params) return isRefused ? null : resultOf(method, params);
      return method === "Shelly.GetStatus" ? wholeStatus() : null;
    };
    const result = await answer();
    const frame = result ? { result } : { error: { code: 404, message: `No handler for ${method}` } };
    await say(`${src}/rpc`, { id, src: address, dst: src, ...frame });
  }

  async function join(): Promise<void> {
    client = await connect();
    if (!isDeaf) {
      client.on("message", (_topic, payload) => void obey(payload.toString()));
      await client.subscribeAsync([`${address}/rpc`], { qos: 1 });
    }
    await say(`${address}/online`, "true");
  }
  await join();

  return {
    asked,
    isOpen: (id) => switches[id]?.output === true,
    configOf: (id) => switches[id]?.config ?? {},
    async press(id) {
      await turn(id, !switches[id]?.output, undefined);
    },
    async tick() {
      for (const [id, { output, startedAt, seconds }] of switches.entries()) {
        if (output && startedAt !== null && clock.now() >= startedAt + seconds * 1_000) {
          await turn(id, false, undefined);
        }
      }
    },
    async reboot() {
      await client.endAsync(true);
      for (const one of switches) Object.assign(one, { output: false, startedAt: null, seconds: 0 });
      await join();
    },
    leave: () => client.endAsync(true),
  };
}
