import { type Static, Type } from "typebox";
import { ForeignSerial, Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { LogEntry } from "./log-entry.ts";

const Text = Type.Optional(Nullable(Type.String()));
const Coordinate = Type.Optional(Nullable(Type.Number()));

/**
 * A sensor without its readings: the `info` of lists and the live streams. A foreign API must send only the
 * fields that `spec` names.
 */
export const SensorInfo = Type.Object({
  id: Id,
  name: Text,
  deviceType: Type.String(),
  serial: ForeignSerial,
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
  /** Time of registration, on the API's clock; absent in many APIs. */
  createdDate: Text,
  userId: Type.Optional(Nullable(Id)),
  /** Extension `devices`: the network server's name for the sensor, and the decoder of its messages. */
  externalId: Text,
  profile: Text,
  /** Extension `versions`: changes with each editable field. */
  version: Text,
});
export type SensorInfo = Static<typeof SensorInfo>;

/** A sensor as the REST lists return it. */
export const Sensor = Type.Object({
  ...SensorInfo.properties,
  latestLog: Type.Optional(Nullable(LogEntry)),
});
export type Sensor = Static<typeof Sensor>;
