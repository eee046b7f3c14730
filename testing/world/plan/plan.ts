import { type Static, Type } from "typebox";
import { ACCESS_HAPPENINGS, FURTHER_LINES, FurtherScreen } from "./access-plan.ts";
import { ADMIN_HAPPENINGS } from "./admin-close-plan.ts";
import { AutomaticPlan } from "./automatic-plan.ts";
import { ChargeHappening } from "./charge-plan.ts";
import { CloseAllHappening } from "./close-all-plan.ts";
import { CreationHappening } from "./creations-plan.ts";
import { StopWatchingHappening } from "./leaving-plan.ts";
import { LinkHappening } from "./links-plan.ts";
import { LoraPlan } from "./lora-plan.ts";
import { MeterKind } from "./meter-kind.ts";
import { BadAnswersHappening, PlainKind } from "./plain-plan.ts";
import { RelayStoreHappening } from "./relay-store-plan.ts";
import { FURTHER_RELAYS, RELAY_HAPPENINGS, RELAY_LINES, RelayCount } from "./relays-plan.ts";
import { SaveHappening } from "./saves-plan.ts";
import { ServerClock, SetServerClock } from "./server-clocks.ts";

/** Begin of a world whose plan names none, ms UTC: a whole minute. */
export const START = Date.UTC(2026, 10, 21, 3, 0, 0);

/** Machines that can fail in each world. */
export const FAILING = ["api", "relay", "controller", "sensor", "meter"] as const;
/** All machines that can fail in some world. */
const ALL_FAILING = [...FAILING, ...FURTHER_RELAYS, "redis"] as const;
export type Failing = (typeof ALL_FAILING)[number];

/** People with a phone; all of them are of one account. */
export const PEOPLE = ["kim", "lee"] as const;
export type PersonName = (typeof PEOPLE)[number];

/** Lines that can fail, by their ends; "phone" is that of kim. */
export const LINES = [
  "phone-relay",
  "lee-relay",
  "relay-api",
  "relay-broker",
  "controller-broker",
  "sensor-broker",
  "meter-broker",
] as const;
export type LineName = (typeof LINES)[number] | (typeof FURTHER_LINES)[number] | (typeof RELAY_LINES)[number];

/** Troubles of the farm API's database. */
export const STORE_FAULTS = ["away", "slow", "full", "read-only"] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** Machines whose clocks may be set. */
export const SET_CLOCKS = ["relay", ...PEOPLE, "sensor"] as const;
export type SetClock = (typeof SET_CLOCKS)[number];

const Ms = Type.Number({ minimum: 0 });
const line = Type.Enum([...LINES, ...FURTHER_LINES, ...RELAY_LINES]);
const machine = Type.Enum(ALL_FAILING);
const valve = Type.Integer({ minimum: 1 });
/** Absent: kim. */
const who = Type.Optional(Type.Enum(PEOPLE));

/** One thing that happens; `at` and all lengths in ms since the start. Valves are counted from 1. */
export const Happening = Type.Intersect([
  Type.Object({ at: Ms }),
  Type.Union([
    Type.Object({ kind: Type.Literal("open"), who, valve, seconds: Type.Number() }),
    Type.Object({ kind: Type.Literal("close"), who, valve }),
    CloseAllHappening,
    /** The person takes back whatever has no answer. */
    Type.Object({ kind: Type.Literal("take-back"), who }),
    Type.Object({ kind: Type.Literal("reload"), who }),
    Type.Object({ kind: Type.Literal("sleep"), who, ms: Ms }),
    /** All sessions of the account are ended; its people sign in again after a while. */
    Type.Object({ kind: Type.Literal("shut-out"), ms: Ms }),
    ...ACCESS_HAPPENINGS,
    ...ADMIN_HAPPENINGS,
    StopWatchingHappening,
    SaveHappening,
    ChargeHappening,
    CreationHappening,
    LinkHappening,
    ...RELAY_HAPPENINGS,
    Type.Object({ kind: Type.Literal("hand"), valve, open: Type.Boolean() }),
    Type.Object({
      kind: Type.Literal("hold"),
      line,
      direction: Type.Enum(["there", "back", "both"]),
      ms: Ms,
    }),
    Type.Object({ kind: Type.Literal("cut"), line, ms: Ms }),
    Type.Object({ kind: Type.Literal("slow"), line, byMs: Ms, ms: Ms }),
    Type.Object({ kind: Type.Literal("kill"), machine, ms: Ms }),
    Type.Object({ kind: Type.Literal("freeze"), machine, ms: Ms }),
    /** The farm API's database is away, slow, full, or takes no changes. */
    Type.Object({ kind: Type.Literal("store"), how: Type.Enum(STORE_FAULTS), ms: Ms }),
    RelayStoreHappening,
    /** A wall clock is set by so many ms; monotonic clocks go on. */
    Type.Object({ kind: Type.Literal("set-clock"), of: Type.Enum(SET_CLOCKS), byMs: Type.Number() }),
    /** Only of the bundled farm API's machine. */
    SetServerClock,
    /** Sand in the seat: nothing turns the valve; without a length until the end. */
    Type.Object({ kind: Type.Literal("stick"), valve, ms: Type.Optional(Ms) }),
    /** Only of a plain farm API. */
    BadAnswersHappening,
  ]),
]);
export type Happening = Static<typeof Happening>;

/** How the controller of a world is made. */
export const ControllerKind = Type.Object({
  /** Absent: native. */
  driver: Type.Optional(Type.Enum(["native", "tasmota", "shelly-gen2"])),
  reportMs: Ms,
  hasClock: Type.Boolean(),
  hasWill: Type.Boolean(),
  /** Absent: it reports all of its valves when it connects, and when it is asked to. */
  isTerse: Type.Optional(Type.Boolean()),
  turnMs: Ms,
});
export type ControllerKind = Static<typeof ControllerKind>;

/** How the sensor of a world is made. */
export const SensorKind = Type.Object({ reportMs: Ms, hasClock: Type.Boolean() });
export type SensorKind = Static<typeof SensorKind>;

/** Machines of people and devices whose clocks may be wrong. */
export const CLOCKS = [...PEOPLE, "controller", "sensor"] as const;
export type ClockOwner = (typeof CLOCKS)[number];

/** A clock that is ahead by `offsetMs`, and runs faster by a share of `drift`. */
export const WrongClock = Type.Object({
  of: Type.Enum(CLOCKS),
  offsetMs: Type.Number(),
  drift: Type.Number(),
});
export type WrongClock = Static<typeof WrongClock>;

/**
 * A watering mode that is in charge of a valve from the start of a world: once, so many minutes later, or each so many
 * minutes.
 */
export const Watering = Type.Object({
  valve,
  mode: Type.Enum(["reservation", "period"]),
  minutes: Type.Integer({ minimum: 1 }),
  /** Differs from the lengths that people want, by which a controller without ids shows whose run it is. */
  runMinutes: Type.Integer({ minimum: 1 }),
  /** Time of day of a reservation in the zone of the account, HH:mm. Absent: `minutes` after the start. */
  onTime: Type.Optional(Type.String()),
});
export type Watering = Static<typeof Watering>;

/** A world before anything happens in it, and all that will. */
export const Plan = Type.Object({
  seed: Type.Integer(),
  lengthMs: Ms,
  /** Begin of the world, ms UTC, a whole minute. Absent: {@link START}. */
  start: Type.Optional(Type.Number()),
  /** Zone of the account, by its IANA name. Absent: that of a new account. */
  zone: Type.Optional(Type.String()),
  controller: ControllerKind,
  /** Absent: the bundled farm API. A plain one has no broker, no sensor, and a controller of its own kind. */
  plain: Type.Optional(PlainKind),
  /** Absent: every clock is right. */
  clocks: Type.Optional(Type.Array(WrongClock)),
  /** Clock of the bundled farm API's machine. Absent: right, and never set. */
  serverClock: Type.Optional(ServerClock),
  /** Only for a controller whose modes the farm API carries out. Absent: none. */
  waterings: Type.Optional(Type.Array(Watering)),
  /** Only for such a controller, and with a sensor. Absent: no valve is in automatic mode. */
  automatic: Type.Optional(AutomaticPlan),
  /** Absent: the sensor connects by itself. */
  lora: Type.Optional(LoraPlan),
  /** Absent: only kim. */
  people: Type.Optional(Type.Array(Type.Enum(PEOPLE))),
  /** Absent in stored worlds without a sensor. */
  sensor: Type.Optional(SensorKind),
  /** Absent: none. */
  meter: Type.Optional(MeterKind),
  /** Absent: one relay, which keeps its data itself. Several share a Redis. */
  relays: Type.Optional(RelayCount),
  /** Each start of a relay is of another build: this one, and one of a later version, in turn. Absent: of this one. */
  changesBuilds: Type.Optional(Type.Literal(true)),
  /** Screens beside those of kim and lee. Absent: none. */
  further: Type.Optional(Type.Array(FurtherScreen)),
  happenings: Type.Array(Happening),
});
export type Plan = Static<typeof Plan>;
