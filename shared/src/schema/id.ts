import { Type } from "typebox";
import { Nullable } from "./nullable.ts";

/** An identifier of an upstream API: the bundled one uses UUID strings and integers, others may mix. */
export const Id = Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Integer()]);

/** A device's serial: a JSON integer of at most 15 digits; a foreign API may send it as text. */
export const Serial = Type.Union([
  Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
  Type.String({ pattern: "^\\d{1,15}$" }),
]);

/** A serial from a foreign API, such as a LoRa node's EUI; null if it cannot be read. */
export const ForeignSerial = Nullable(
  Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 128 })]),
);
