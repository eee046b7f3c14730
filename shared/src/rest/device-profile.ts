import { type Static, Type } from "typebox";

/**
 * A decoder for the messages of one kind of LoRaWAN device (extension `devices`); a device stores its `name`.
 */
export const DeviceProfile = Type.Object({
  name: Type.String(),
  maker: Type.String(),
  model: Type.String(),
  /** Device types that the decoder supports. */
  deviceTypes: Type.Array(Type.String()),
});
export type DeviceProfile = Static<typeof DeviceProfile>;
