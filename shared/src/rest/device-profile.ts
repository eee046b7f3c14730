import { type Static, Type } from "typebox";

/** A decoder for the messages of one kind of LoRaWAN device (extension `devices`); `name` is what a device keeps. */
export const DeviceProfile = Type.Object({
  name: Type.String(),
  maker: Type.String(),
  model: Type.String(),
  /** Device types that it is made for. */
  deviceTypes: Type.Array(Type.String()),
});
export type DeviceProfile = Static<typeof DeviceProfile>;
