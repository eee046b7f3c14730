import { type Static, Type } from "typebox";
import { LogEntry } from "../entities/log-entry.ts";
import { Sensor } from "../entities/sensor.ts";
import { FleetFlip } from "../live/fleet.ts";
import { DeviceLink } from "../rules/quality.ts";
import { FormInteger, FormNumber, formText } from "../schema/form.ts";
import { Id, Serial } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { Description, MAX_NAME, Name } from "./farm.ts";
import { StoredActivity } from "./fleet.ts";

/** Maximum number of digits of a serial. */
export const MAX_SERIAL_DIGITS = 15;
/** Allowed channel counts of a sensor of type COT (B106, B146), and the default. */
export const COT_CHANNELS = { min: 2, max: 8, preset: 2 } as const;
/** Maximum length of a network server's name for a device. */
export const MAX_EXTERNAL_ID = 64;

/** A serial as a form sends it; leading zeros are dropped. */
export const SerialText = Type.String({ minLength: 1, maxLength: 64 });

const fields = {
  description: Type.Optional(Description),
  crops: Type.Optional(Type.String({ maxLength: MAX_NAME })),
  /** Degrees; 0 is "not placed", and an empty value keeps the stored one. */
  latitude: Type.Optional(FormNumber),
  longitude: Type.Optional(FormNumber),
  /** Shown as a card on the sensors screen. */
  widget: Type.Optional(Type.Boolean()),
  /** 0 is none. */
  clusterId: Type.Optional(FormInteger),
  /** Channel count, COT only. */
  chNums: Type.Optional(FormInteger),
  /** Extension `devices`: the network server's name for the sensor, and the decoder of its messages. */
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

/** Body of `PUT /api/v1/sensor/update/{id}`; an absent field keeps its value. */
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

/** Address of the MQTT broker for devices; `host` is null where it equals the web client's own address. */
export const DeviceBroker = Type.Object({
  host: Nullable(Type.String()),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  tls: Type.Boolean(),
});
export type DeviceBroker = Static<typeof DeviceBroker>;

/** A device's key: 32 hex digits, shown once. `mqtt` is absent where the API does not name its broker. */
export const DeviceKey = Type.Object({ deviceKey: Type.String(), mqtt: Type.Optional(DeviceBroker) });
export type DeviceKey = Static<typeof DeviceKey>;

/** Answer of `sensor/add`: the sensor, and its key, shown once. */
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
  /** Name and telephone of the owner; absent in an API that does not send them. */
  nickname: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  /** The owner's farm by name or place, as the account states it; absent in an API that does not send it. */
  farmAddress: Type.Optional(Type.String()),
  /** Name of the device's farm; null for a device without one, absent in an API that does not send it. */
  farm: Type.Optional(Nullable(Type.String())),
  name: Type.String(),
  /** Device type of a sensor, controller type of a controller. */
  deviceType: Type.String(),
  serial: Serial,
  /** Degrees; 0 or null where it is not placed, absent in an API that does not send it. */
  latitude: Type.Optional(Nullable(Type.Number())),
  longitude: Type.Optional(Nullable(Type.Number())),
  /** The newest reading; for a controller the time of its last report, without a measurement. */
  latestLog: Nullable(LogEntry),
  /**
   * Connection of a controller as its broker reports it: `lost` while its last will is newer than its last
   * message.
   */
  link: Type.Optional(DeviceLink),
  /** Time of its last contact; null: none yet. Absent: the time of `latestLog` (extension `fleet-presence`). */
  heardAt: Type.Optional(Nullable(Instant)),
  /** Last change to offline or back; null: none is known yet (extension `fleet-presence`). */
  flip: Type.Optional(Nullable(FleetFlip)),
  /** Half-hours of the last two days with a contact (extension `fleet-presence`). */
  beats: Type.Optional(StoredActivity),
});
export type FleetDevice = Static<typeof FleetDevice>;
