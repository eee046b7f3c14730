import { type Static, Type } from "typebox";
import { LogEntry } from "../entities/log-entry.ts";
import { Sensor } from "../entities/sensor.ts";
import { FleetFlip } from "../live/fleet.ts";
import { FormInteger, FormNumber, formText } from "../schema/form.ts";
import { Id, Serial } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { Description, MAX_NAME, Name } from "./farm.ts";
import { KeptBeats } from "./fleet.ts";

/** Most digits of a serial. */
export const MAX_SERIAL_DIGITS = 15;
/** Channel counts that a sensor of type COT may have, and what it gets when nobody says. */
export const COT_CHANNELS = { min: 1, max: 8, preset: 2 } as const;
/** Longest name that a network server has for a device. */
export const MAX_EXTERNAL_ID = 64;

/** A serial as a form sends it; leading zeros fall away. */
export const SerialText = Type.String({ minLength: 1, maxLength: 64 });

const fields = {
  description: Type.Optional(Description),
  crops: Type.Optional(Type.String({ maxLength: MAX_NAME })),
  /** Degrees; 0 is "not placed", and what is left empty stays as it was. */
  latitude: Type.Optional(FormNumber),
  longitude: Type.Optional(FormNumber),
  /** Shown as a card on the sensors screen. */
  widget: Type.Optional(Type.Boolean()),
  /** 0 is none. */
  clusterId: Type.Optional(FormInteger),
  /** Channel count, COT only. */
  chNums: Type.Optional(FormInteger),
  /** Extension `devices`: the network server's name for it, and the decoder of its messages. */
  externalId: Type.Optional(formText(MAX_EXTERNAL_ID)),
  profile: Type.Optional(formText(MAX_EXTERNAL_ID)),
};

/** Body of `POST /api/v1/sensor/add`. */
export const SensorAddBody = Type.Object({
  name: Name,
  serial: SerialText,
  deviceType: Type.Optional(Type.String({ maxLength: 32 })),
  ...fields,
});
export type SensorAddBody = Static<typeof SensorAddBody>;

/** Body of `PUT /api/v1/sensor/update/{id}`; what is not there stays as it was. */
export const SensorUpdateBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: MAX_NAME })),
  serial: Type.Optional(SerialText),
  deviceType: Type.String({ maxLength: 32 }),
  ...fields,
});
export type SensorUpdateBody = Static<typeof SensorUpdateBody>;

const Uuid = Type.String({ minLength: 1, maxLength: 64 });

/** Body of `POST /api/v1/admin/sensor/add`; `userId` is the owner. */
export const AdminSensorAddBody = Type.Object({ userId: Uuid, ...SensorAddBody.properties });
export type AdminSensorAddBody = Static<typeof AdminSensorAddBody>;

/** Body of `PUT /api/v1/admin/sensor/update`. */
export const AdminSensorUpdateBody = Type.Object({ id: Uuid, ...SensorUpdateBody.properties });
export type AdminSensorUpdateBody = Static<typeof AdminSensorUpdateBody>;

/** The MQTT broker as devices reach it; `host` is null where it is that of the web client's own address. */
export const DeviceBroker = Type.Object({
  host: Nullable(Type.String()),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  tls: Type.Boolean(),
});
export type DeviceBroker = Static<typeof DeviceBroker>;

/** A device's key: 32 hex digits, shown once. `mqtt` is left out by an API that does not name its broker. */
export const DeviceKey = Type.Object({ deviceKey: Type.String(), mqtt: Type.Optional(DeviceBroker) });
export type DeviceKey = Static<typeof DeviceKey>;

/** Answer of `sensor/add`: the sensor, and once its key. */
export const AddedSensor = Type.Object({ ...Sensor.properties, ...DeviceKey.properties });
export type AddedSensor = Static<typeof AddedSensor>;

/** Answer of `GET /api/v1/sensor/read/{id}`. */
export const SensorKind = Type.Object({ deviceType: Type.String(), chNums: Nullable(Type.Integer()) });

/** A sensor in an administrator's list, with its owner's name. */
export const AdminSensor = Type.Object({ ...Sensor.properties, username: Type.String() });
export type AdminSensor = Static<typeof AdminSensor>;

/** A device of the whole fleet (extension `admin-fleet`). */
export const FleetDevice = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal("sensor"), Type.Literal("controller")]),
  userId: Id,
  username: Type.String(),
  name: Type.String(),
  /** Device type of a sensor, controller type of a controller. */
  deviceType: Type.String(),
  serial: Serial,
  /** Degrees; 0 or null where it is not placed, left out by an API that does not say. */
  latitude: Type.Optional(Nullable(Type.Number())),
  longitude: Type.Optional(Nullable(Type.Number())),
  /** The newest reading; of a controller when it reported last, without a measurement. */
  latestLog: Nullable(LogEntry),
  /** The last time that it went offline or came back; null: not since it was first heard (extension `fleet-presence`). */
  flip: Type.Optional(Nullable(FleetFlip)),
  /** In which half-hours of the last two days it was heard (extension `fleet-presence`). */
  beats: Type.Optional(KeptBeats),
});
export type FleetDevice = Static<typeof FleetDevice>;
