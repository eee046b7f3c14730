import { type Static, Type } from "typebox";
import { Id, Serial } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { LogEntry } from "./log-entry.ts";

const Text = Type.Optional(Nullable(Type.String()));
const Coordinate = Type.Optional(Nullable(Type.Number()));

/**
 * A sensor without its readings: what lists and the live streams call its `info`. Only what `spec` names is required
 * of a foreign API.
 */
export const SensorInfo = Type.Object({
  id: Id,
  name: Text,
  deviceType: Type.String(),
  serial: Serial,
  description: Text,
  crops: Text,
  /** Degrees; 0 is "not placed". */
  latitude: Coordinate,
  longitude: Coordinate,
  /** Shown as a card on the sensors screen. */
  widget: Type.Optional(Nullable(Type.Boolean())),
  /** 0 is none. */
  clusterId: Type.Optional(Nullable(Id)),
  /** Channel count, COT only. */
  chNums: Type.Optional(Nullable(Type.Integer())),
  imagePath: Text,
  clusters: Type.Optional(Nullable(Type.Array(Type.Object({ id: Id, name: Text })))),
  /** When it was registered, on the API's clocks; many APIs do not say. */
  createdDate: Text,
  userId: Type.Optional(Nullable(Id)),
  /** Extension `devices`: the network server's name for it, and the decoder of its messages. */
  externalId: Text,
  profile: Text,
  /** Extension `versions`: changes with each field that people write. */
  version: Text,
});
export type SensorInfo = Static<typeof SensorInfo>;

/** A sensor as the REST lists give it. */
export const Sensor = Type.Object({
  ...SensorInfo.properties,
  latestLog: Type.Optional(Nullable(LogEntry)),
});
export type Sensor = Static<typeof Sensor>;
