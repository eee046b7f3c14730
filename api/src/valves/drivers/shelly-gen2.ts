// Shelly Gen2 and newer, by RPC over MQTT. This driver relies on:
// - `Switch.Set` with `toggle_after`, "flip-back timer in seconds", and the configuration's `initial_state`,
// `auto_on`, `auto_off`, `auto_off_delay`; a status with a running timer has `timer_started_at` and
// `timer_duration`: https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/Switch
// - `Shelly.GetStatus` is the status of every component, `sys` with the device's own time in `unixtime`, null where it
// has none: https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/Shelly, …/Sys
// - requests on `<prefix>/rpc`, answers on `<src>/rpc`, with `src` chosen by the requester:
// https://shelly-api-docs.shelly.cloud/gen2/General/RPCProtocol
// - `NotifyStatus` on `<prefix>/events/rpc` contains its time, changes, and may omit the rest:
// https://shelly-api-docs.shelly.cloud/gen2/General/Notifications
// - `<prefix>/online`, and `<prefix>/status/switch:N` where `status_ntf` is on:
// https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/Mqtt
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { OutMessage } from "../../devices/broker.ts";
import { LIMIT_SECONDS, type Valve, type ValveDriver, type ValveNews } from "./driver.ts";

type Controller = Omit<Valve, "number">;

const Status = Type.Object({
  output: Type.Optional(Nullable(Type.Boolean())),
  /** Unix seconds, with a fraction. */
  timer_started_at: Type.Optional(Nullable(Type.Number())),
  timer_duration: Type.Optional(Nullable(Type.Number())),
});
type Status = Static<typeof Status>;

const Config = Type.Object({
  initial_state: Type.String(),
  auto_on: Type.Optional(Type.Boolean()),
  auto_off: Type.Boolean(),
  auto_off_delay: Type.Number(),
});

const Answer = Type.Object({
  id: Type.String(),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    Type.Object({ code: Type.Optional(Type.Number()), message: Type.Optional(Type.String()) }),
  ),
});

const Components = Type.Record(Type.String(), Type.Unknown());
const Notification = Type.Object({
  method: Type.Union([Type.Literal("NotifyStatus"), Type.Literal("NotifyFullStatus")]),
  params: Components,
});
/** Unix seconds on the device's clock. */
const NotifiedAt = Type.Object({ ts: Type.Number() });
const AnsweredAt = Type.Object({ sys: Type.Object({ unixtime: Type.Number() }) });

const MAX_SECONDS = 24 * 3_600;
/** Unix seconds of 2000: an earlier time is of a clock that is not set. */
const CLOCK_SET_S = 946_684_800;

/** Answers arrive below the controller's own serial, where no other device may publish. */
const asker = ({ serial }: Controller): string => `mulkko/${serial}/valve`;

/** @param what identifies the request, so that its answer is recognized without state */
function call(valve: Valve, what: string, method: string, params?: object): OutMessage {
  const request = { id: `${what}/${valve.number}`, src: asker(valve), method, ...(params && { params }) };
  return { topic: `${valve.address}/rpc`, payload: JSON.stringify(request), qos: 1 };
}

/** Call a method of the valve's switch. */
const callSwitch = (valve: Valve, what: string, method: string, params: object = {}): OutMessage =>
  call(valve, what, `Switch.${method}`, { id: valve.number - 1, ...params });

/** A message beside its outputs. */
interface MessageFacts {
  /** True where the status is complete, so that a timer it does not name is not running. */
  readonly isWhole: boolean;
  /**
   * Time of the message, Unix seconds on the clock by which the timer began: no other clock can tell what is left of
   * it. Null where the message has none.
   */
  readonly at: number | null;
}

function valveOf(number: number, status: Status, { isWhole, at }: MessageFacts): ValveNews[] {
  const { output, timer_started_at: started, timer_duration: duration } = status;
  if (typeof output !== "boolean") return [];
  const valve = { kind: "valve", number, isOpen: output } as const;
  if (typeof started !== "number" || typeof duration !== "number") {
    return [isWhole ? { ...valve, secondsLeft: null } : valve];
  }
  // A device without a time server counts from its start, which says nothing about the end.
  if (at === null || started < CLOCK_SET_S) return [valve];
  return [{ ...valve, secondsLeft: Math.min(duration, Math.max(0, started + duration - at)) }];
}

/** Read the switches of a status of several components. */
function valvesOf(components: Static<typeof Components>, facts: MessageFacts): ValveNews[] {
  return Object.entries(components).flatMap(([name, component]) => {
    const id = /^switch:([0-7])$/.exec(name)?.[1];
    const status = parse(Status, component);
    return id !== undefined && status.ok ? valveOf(Number(id) + 1, status.value, facts) : [];
  });
}

function keptOf(number: number, result: unknown): ValveNews[] {
  const config = parse(Config, result);
  if (!config.ok) return [];
  const { initial_state, auto_on = false, auto_off, auto_off_delay } = config.value;
  const isLimited = auto_off && auto_off_delay > 0 && auto_off_delay <= LIMIT_SECONDS && !auto_on;
  return [
    { kind: "kept", number, what: "closed-at-power-up", isKept: initial_state === "off" },
    { kind: "kept", number, what: "limit", isKept: isLimited },
  ];
}

function parseAnswer(payload: string): ValveNews[] {
  const answer = parseJson(Answer, payload);
  const match = answer.ok ? /^(set|config|keep|status)\/([1-8])$/.exec(answer.value.id) : null;
  if (!answer.ok || !match) return [];
  const number = Number(match[2]);
  const { error, result } = answer.value;
  if (error) return [{ kind: "refused", reason: `${match[1]}: ${error.message ?? error.code ?? "error"}` }];
  if (match[1] === "config") return keptOf(number, result);
  const status = match[1] === "status" ? parse(Components, result) : null;
  if (!status?.ok) return [];
  const time = parse(AnsweredAt, result);
  const all = valvesOf(status.value, { isWhole: true, at: time.ok ? time.value.sys.unixtime : null });
  // Each valve is asked for itself, after its own command.
  return all.filter((news) => news.kind === "valve" && news.number === number);
}

function parseEvent(payload: string): ValveNews[] {
  const event = parseJson(Notification, payload);
  if (!event.ok) return [];
  const { method, params } = event.value;
  const time = parse(NotifiedAt, params);
  return valvesOf(params, { isWhole: method === "NotifyFullStatus", at: time.ok ? time.value.ts : null });
}

export const shellyDriver: ValveDriver = {
  name: "shelly-gen2",
  maxSeconds: MAX_SECONDS,
  open: (valve, { seconds }) => callSwitch(valve, "set", "Set", { on: true, toggle_after: seconds }),
  close: (valve) => callSwitch(valve, "set", "Set", { on: false }),
  keep: (valve) => [
    callSwitch(valve, "keep", "SetConfig", {
      config: { initial_state: "off", auto_on: false, auto_off: true, auto_off_delay: LIMIT_SECONDS },
    }),
    callSwitch(valve, "config", "GetConfig"),
  ],
  afterRun: () => [],
  ask: (valve) => [call(valve, "status", "Shelly.GetStatus"), callSwitch(valve, "config", "GetConfig")],
  speaksUnder: (controller) => [
    `${controller.address}/online`,
    `${controller.address}/events/rpc`,
    `${controller.address}/status/#`,
    `${asker(controller)}/rpc`,
  ],
  hearsUnder: ({ address }) => [`${address}/#`],
  parse(controller, topic, payload) {
    if (topic === `${asker(controller)}/rpc`) return parseAnswer(payload);
    const below = topic.startsWith(`${controller.address}/`)
      ? topic.slice(controller.address.length + 1)
      : "";
    if (below === "online") return [{ kind: "line", online: payload.trim() === "true" }];
    if (below === "events/rpc") return parseEvent(payload);
    const id = /^status\/switch:([0-7])$/.exec(below)?.[1];
    const status = id === undefined ? null : parseJson(Status, payload);
    return status?.ok ? valveOf(Number(id) + 1, status.value, { isWhole: true, at: null }) : [];
  },
};
