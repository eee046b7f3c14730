// Tasmota, by its commands over MQTT. This driver relies on:
// - `PulseTime<x>`: 1–111 tenths of a second, 112–64900 seconds + 100; `Power<x>` "also restarts PulseTime";
// `PowerOnState 0`: off after power-up; `Backlog`: several commands in one message, `Backlog0` without a
// pause between them: https://tasmota.github.io/docs/Commands/
// - topics `%prefix%/%topic%/` with the prefixes cmnd, stat and tele, and the last will on
// `tele/%topic%/LWT`: https://tasmota.github.io/docs/MQTT/
// - switching on begins its pulse; setting PulseTime alone does not:
// https://github.com/arendst/Tasmota/issues/779
// - `Power` without a payload is a query, but it stops a running PulseTime, so that the valve would stay
// open: https://github.com/arendst/Tasmota/issues/9325. The state is therefore queried with `Status 11`
// (https://github.com/arendst/Tasmota/issues/7810).
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { OutMessage } from "../../devices/broker.ts";
import { LIMIT_SECONDS, type Valve, type ValveDriver, type ValveNews } from "./driver.ts";

type Controller = Omit<Valve, "number">;
type Prefix = "cmnd" | "stat" | "tele";

const MAX_PULSE = 64_900;
const SECONDS_OFFSET = 100;
/** From this number of seconds on PulseTime counts seconds, below it tenths of them. */
const FIRST_IN_SECONDS = 12;

/** Encode a run time as `PulseTime`. @param seconds at least 1; limited to the largest value */
export const pulseTimeOf = (seconds: number): number =>
  seconds < FIRST_IN_SECONDS
    ? Math.max(1, Math.round(seconds * 10))
    : Math.min(MAX_PULSE, Math.ceil(seconds) + SECONDS_OFFSET);

/** Decode a `PulseTime`, seconds; 0: it is off. */
export const secondsOfPulseTime = (value: number): number =>
  value < FIRST_IN_SECONDS + SECONDS_OFFSET ? value / 10 : value - SECONDS_OFFSET;

const PLACE = "/%prefix%";

/** `name` means the usual order, `cmnd/name/…`; `name/%prefix%` the other one, `name/cmnd/…`. */
const under = ({ address }: Controller, prefix: Prefix): string =>
  address.endsWith(PLACE) ? `${address.slice(0, -PLACE.length)}/${prefix}` : `${prefix}/${address}`;

const say = (controller: Controller, command: string, payload: string): OutMessage => ({
  topic: `${under(controller, "cmnd")}/${command}`,
  payload,
  qos: 1,
});

/** Without a payload both commands are queries. */
const readKept = (valve: Valve): OutMessage[] => [
  say(valve, "PowerOnState", ""),
  say(valve, `PulseTime${valve.number}`, ""),
];

const Fields = Type.Record(Type.String(), Type.Unknown());
const HealthCheck = Type.Object({ Set: Type.Number() });
const Whole = Type.Object({ StatusSTS: Fields });

/** A device with one relay omits its number. */
const relayOf = (name: string): number => Number(/^POWER([1-8]?)$/.exec(name)?.[1] || "1");

const powerOf = (name: string, value: unknown): ValveNews[] =>
  /^POWER[1-8]?$/.test(name) && (value === "ON" || value === "OFF")
    ? [{ kind: "valve", number: relayOf(name), isOpen: value === "ON" }]
    : [];

function pulseOf(name: string, value: unknown): ValveNews[] {
  const digits = /^PulseTime([1-8])$/.exec(name)?.[1];
  if (digits === undefined) return [];
  const parsed = parse(HealthCheck, value);
  if (!parsed.ok) return [];
  const seconds = secondsOfPulseTime(parsed.value.Set);
  const isKept = seconds > 0 && seconds <= LIMIT_SECONDS;
  return [{ kind: "kept", number: Number(digits), what: "limit", isKept }];
}

function fieldOf([name, value]: readonly [string, unknown]): ValveNews[] {
  if (name === "PowerOnState") {
    const isKept = value === 0 || value === "0" || value === "OFF";
    return [{ kind: "kept", number: null, what: "closed-at-power-up", isKept }];
  }
  if (name === "Command" && (value === "Unknown" || value === "Error")) {
    return [{ kind: "refused", reason: `command ${value.toLowerCase()}` }];
  }
  return [...powerOf(name, value), ...pulseOf(name, value)];
}

function fieldsOf(payload: string): ValveNews[] {
  const parsed = parseJson(Fields, payload);
  return parsed.ok ? Object.entries(parsed.value).flatMap(fieldOf) : [];
}

export const tasmotaDriver: ValveDriver = {
  name: "tasmota",
  maxSeconds: MAX_PULSE - SECONDS_OFFSET,
  open: (valve, { seconds }) =>
    // One message for both: if the end were lost, the run would have none.
    say(valve, "Backlog0", `PulseTime${valve.number} ${pulseTimeOf(seconds)}; Power${valve.number} ON`),
  close: (valve) => say(valve, `POWER${valve.number}`, "OFF"),
  keep: (valve) => [
    say(valve, "PowerOnState", "0"),
    say(valve, `PulseTime${valve.number}`, String(pulseTimeOf(LIMIT_SECONDS))),
    ...readKept(valve),
  ],
  // During a run, its own end replaces the limit.
  afterRun: (valve) => [say(valve, `PulseTime${valve.number}`, String(pulseTimeOf(LIMIT_SECONDS)))],
  ask: (valve) => [say(valve, "STATUS", "11"), ...readKept(valve)],
  speaksUnder: (controller) => [
    `${under(controller, "tele")}/LWT`,
    `${under(controller, "tele")}/STATE`,
    `${under(controller, "stat")}/+`,
  ],
  hearsUnder: (controller) => [`${under(controller, "cmnd")}/#`],
  parse(controller, topic, payload) {
    const tele = `${under(controller, "tele")}/`;
    const stat = `${under(controller, "stat")}/`;
    if (topic === `${tele}LWT`) return [{ kind: "line", online: payload.trim().toLowerCase() === "online" }];
    if (topic === `${tele}STATE` || topic === `${stat}RESULT`) return fieldsOf(payload);
    if (topic === `${stat}STATUS11`) {
      const parsed = parseJson(Whole, payload);
      return parsed.ok ? Object.entries(parsed.value.StatusSTS).flatMap(fieldOf) : [];
    }
    return topic.startsWith(stat) ? powerOf(topic.slice(stat.length), payload.trim()) : [];
  },
};
