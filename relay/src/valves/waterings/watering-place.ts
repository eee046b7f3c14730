import type { AccountValues } from "../../account/farm-index.ts";
import { entriesOf, farmIndexOf } from "../../account/farm-index.ts";
import { valveLabel, type WateringPlace } from "../../account/thing-name.ts";

/** Return the present name, number and farms of a channel; an empty object for an unknown channel. */
export function wateringPlace(state: AccountValues, channelKey: string): WateringPlace {
  const label = valveLabel(state, channelKey);
  if (label.number === undefined) return {};
  return { ...label, farmIds: [...farmIndexOf(entriesOf(state)).of(channelKey)] };
}
