import { type Static, Type } from "typebox";
import { Controller } from "../entities/controller.ts";
import { MAX_CHANNELS } from "../rules/valve.ts";
import { FormInteger, formText } from "../schema/form.ts";
import { Description, Name } from "./farm.ts";
import { DeviceKey, MAX_EXTERNAL_ID, SerialText } from "./sensor.ts";

/** Larger than the allowed number of sensors on a channel, so that the rule itself can refuse. */
const MAX_LISTED_SENSORS = 100;

/** Body of a channel: its sensors from now on, three at most. */
export const ChannelBody = Type.Object({
  channelNumber: Type.Integer({ minimum: 1, maximum: MAX_CHANNELS }),
  sensorIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: MAX_LISTED_SENSORS }),
  ),
});
export type ChannelBody = Static<typeof ChannelBody>;

const fields = {
  serial: SerialText,
  name: Name,
  description: Type.Optional(Description),
  channels: Type.Optional(Type.Array(ChannelBody, { maxItems: MAX_CHANNELS })),
  /** Extension `controller-farm`: the farm; 0 is none. */
  clusterId: Type.Optional(FormInteger),
  /** Extension `devices`: the network server's name for the controller, and the decoder of its messages. */
  externalId: Type.Optional(formText(MAX_EXTERNAL_ID)),
  profile: Type.Optional(formText(MAX_EXTERNAL_ID)),
  /** Extension `drivers`: protocol of the valves, and their names on the broker. */
  driver: Type.Optional(formText(32)),
  address: Type.Optional(formText(128)),
};

/** Body of `POST /api/v1/controller`. */
export const ControllerAddBody = Type.Object({ type: Type.String({ maxLength: 32 }), ...fields });
export type ControllerAddBody = Static<typeof ControllerAddBody>;

/**
 * Body of `PUT /api/v1/controller/{id}`: listed channels are added, or get exactly these sensors; other
 * channels stay.
 */
export const ControllerUpdateBody = Type.Object({
  type: Type.Optional(Type.String({ maxLength: 32 })),
  ...fields,
});
export type ControllerUpdateBody = Static<typeof ControllerUpdateBody>;

/** Answer of `POST /api/v1/controller`: the controller, and its key, shown once. */
export const AddedController = Type.Object({ ...Controller.properties, ...DeviceKey.properties });
export type AddedController = Static<typeof AddedController>;
