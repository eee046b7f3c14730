import { type Static, Type } from "typebox";
import { Id, Serial } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

/** A channel of a controller with the sensors that sit on it. */
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

/** A controller without its channels: what the live streams call its `info`. */
export const ControllerInfo = Type.Object({
  id: Id,
  serial: Serial,
  name: Type.Optional(Nullable(Type.String())),
  description: Type.Optional(Nullable(Type.String())),
  /** CON04V, CON04E or CON01W. */
  type: Type.Optional(Nullable(Type.String())),
  /** Extension `controller-farm`: its farm; 0 is none. */
  clusterId: Type.Optional(Nullable(Id)),
  /** Its picture (extension `controller-image`). */
  imagePath: Type.Optional(Nullable(Type.String())),
  /** When it was registered, on the API's clocks; many APIs do not say. */
  createdDate: Type.Optional(Nullable(Type.String())),
  /** Extension `devices`: the network server's name for it, and the decoder of its messages. */
  externalId: Type.Optional(Nullable(Type.String())),
  profile: Type.Optional(Nullable(Type.String())),
  /** Extension `drivers`: native, shelly-gen2 or tasmota, and what its valves are called on the broker. */
  driver: Type.Optional(Nullable(Type.String())),
  address: Type.Optional(Nullable(Type.String())),
  /** Extension `versions`: changes with each field that people write, and with the channels. */
  version: Type.Optional(Nullable(Type.String())),
});
export type ControllerInfo = Static<typeof ControllerInfo>;

/** A valve controller as `GET /api/v1/controller` gives it. */
export const Controller = Type.Object({
  ...ControllerInfo.properties,
  /** A foreign API may leave them out of lists; then each controller is asked by itself. */
  channels: Type.Optional(Nullable(Type.Array(Channel))),
});
export type Controller = Static<typeof Controller>;
