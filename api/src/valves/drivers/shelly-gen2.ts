// Shelly Gen2 and newer, by RPC over MQTT. This driver relies on:
// - `Switch.Set` with `toggle_after`, "flip-back timer in seconds", and the configuration's `initial_state`,
// `auto_on`, `auto_off`, `auto_off_delay`; a status with a running timer has `timer_started_at` and
// `timer_duration`: https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/Switch
// - requests on `<prefix>/rpc`, answers on `<src>/rpc`, with `src` chosen by the requester:
// https://shelly-api-docs.shelly.cloud/gen2/General/RPCProtocol
// - `NotifyStatus` on `<prefix>/events/rpc` contains changes and may omit the rest:
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

const Notification = Type.Object({
  method: Type.Union([Type.Literal("NotifyStatus"), Type.Literal("NotifyFullStatus")]),
  params: Type.Record(Type.String(), Type.Unknown()),
});

const MAX_SECONDS = 24 * 3_600;
/** Unix seconds of 2000: an earlier time is of a clock that is not set. */
const CLOCK_SET_S = 946_684_800;

/** Answers arrive below the controller's own serial, where no other device may publish. */
const asker = ({ serial }: Controller): string => `mulkko/${serial}/valve`;

/** @param what identifies the request, so that its answer is recognized without state */
function call(valve: Valve, what: string, method: string, params: object = {}): OutMessage {
  const id = `${what}/${valve.number}`;
  const request = { id, src: asker(valve), method, params: { id: valve.number - 1, ...params } };
  return { topic: `${valve.address}/rpc`, payload: JSON.stringify(request), qos: 1 };
}

/** @param isWhole true where the status is complete, so that a timer it does not name is not running */
function valveOf(number: number, status: Status, isWhole: boolean, now: number): ValveNews[] {
  const { output, timer_started_at: started, timer_duration: duration } = status;
  if (typeof output !== "boolean") return [];
  const isTimed = typeof started === "number" && typeof duration === "number";
  // A device without a time server counts from its start, which says nothing about the end.
  if (isTimed && started < CLOCK_SET_S) return [{ kind: "valve", number, isOpen: output }];
  const left = isTimed ? Math.min(duration, Math.max(0, started + duration - now / 1_000)) : null;
  const known = isTimed || isWhole ? { secondsLeft: left } : {};
  return [{ kind: "valve", number, isOpen: output, ...known }];
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

function parseAnswer(payload: string, now: number): ValveNews[] {
  const answer = parseJson(Answer, payload);
  const match = answer.ok ? /^(set|config|keep|status)\/([1-8])$/.exec(answer.value.id) : null;
  if (!answer.ok || !match) return [];
  const number = Number(match[2]);
  const { error, result } = answer.value;
  if (error) return [{ kind: "refused", reason: `${match[1]}: ${error.message ?? error.code ?? "error"}` }];
  if (match[1] === "config") return keptOf(number, result);
  const status = match[1] === "status" ? parse(Status, result) : null;
  return status?.ok ? valveOf(number, status.value, true, now) : [];
}

function parseEvent(payload: string, now: number): ValveNews[] {
  const event = parseJson(Notification, payload);
  if (!event.ok) return [];
  const isWhole = event.value.method === "NotifyFullStatus";
  return Object.entries(event.value.params).flatMap(([name, component]) => {
    const id = /^switch:([0-7])$/.exec(name)?.[1];
    const status = parse(Status, component);
    return id !== undefined && status.ok ? valveOf(Number(id) + 1, status.value, isWhole, now) : [];
  });
}

export const shellyDriver: ValveDriver = {
  name: "shelly-gen2",
  maxSeconds: MAX_SECONDS,
  open: (valve, { seconds }) => call(valve, "set", "Switch.Set", { on: true, toggle_after: seconds }),
  close: (valve) => call(valve, "set", "Switch.Set", { on: false }),
  keep: (valve) => [
    call(valve, "keep", "Switch.SetConfig", {
      config: { initial_state: "off", auto_on: false, auto_off: true, auto_off_delay: LIMIT_SECONDS },
    }),
    call(valve, "config", "Switch.GetConfig"),
  ],
  afterRun: () => [],
  ask: (valve) => [call(valve, "status", "Switch.GetStatus"), call(valve, "config", "Switch.GetConfig")],
  speaksUnder: (controller) => [
    `${controller.address}/online`,
    `${controller.address}/events/rpc`,
    `${controller.address}/status/#`,
    `${asker(controller)}/rpc`,
  ],
  hearsUnder: ({ address }) => [`${address}/#`],
  parse(controller, topic, payload, now) {
    if (topic === `${asker(controller)}/rpc`) return parseAnswer(payload, now);
    const below = topic.startsWith(`${controller.address}/`)
      ? topic.slice(controller.address.length + 1)
      : "";
    if (below === "online") return [{ kind: "line", online: payload.trim() === "true" }];
    if (below === "events/rpc") return parseEvent(payload, now);
    const id = /^status\/switch:([0-7])$/.exec(below)?.[1];
    const status = id === undefined ? null : parseJson(Status, payload);
    return status?.ok ? valveOf(Number(id) + 1, status.value, true, now) : [];
  },
};
