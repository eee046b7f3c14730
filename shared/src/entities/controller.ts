import { type Static, Type } from "typebox";
import { ForeignSerial, Id, Serial } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

/** A channel of a controller with its sensors. */
export const Channel = Type.Object({
  id: Id,
  /** 1 to 8. */
  channelNumber: Type.Integer(),
  sensors: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({
          id: Id,
          serial: Type.Optional(Nullable(Serial)),
          name: Type.Optional(Nullable(Type.String())),
        }),
      ),
    ),
  ),
});
export type Channel = Static<typeof Channel>;

/** A controller without its channels: the `info` of the live streams. */
export const ControllerInfo = Type.Object({
  id: Id,
  serial: ForeignSerial,
  name: Type.Optional(Nullable(Type.String())),
  description: Type.Optional(Nullable(Type.String())),
  /** CON04V, CON04E or CON01W. */
  type: Type.Optional(Nullable(Type.String())),
  /** Extension `controller-farm`: the controller's farm; 0 is none. */
  clusterId: Type.Optional(Nullable(Id)),
  /** Picture of the controller (extension `controller-image`). */
  imagePath: Type.Optional(Nullable(Type.String())),
  /** Time of registration, on the API's clock; absent in many APIs. */
  createdDate: Type.Optional(Nullable(Type.String())),
  /** Extension `devices`: the network server's name for the controller, and the decoder of its messages. */
  externalId: Type.Optional(Nullable(Type.String())),
  profile: Type.Optional(Nullable(Type.String())),
  /** Extension `drivers`: native, shelly-gen2 or tasmota, and the name of its valves on the broker. */
  driver: Type.Optional(Nullable(Type.String())),
  address: Type.Optional(Nullable(Type.String())),
  /** Extension `versions`: changes with each editable field, and with the channels. */
  version: Type.Optional(Nullable(Type.String())),
});
export type ControllerInfo = Static<typeof ControllerInfo>;

/** A valve controller as `GET /api/v1/controller` returns it. */
export const Controller = Type.Object({
  ...ControllerInfo.properties,
  /** A foreign API may leave channels out of lists; the relay then requests each controller by itself. */
  channels: Type.Optional(Nullable(Type.Array(Channel))),
});
export type Controller = Static<typeof Controller>;
