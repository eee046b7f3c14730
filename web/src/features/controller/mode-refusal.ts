import { ApiError } from "../../rest/errors.ts";
import type { ModeFault, ModeField } from "./mode-model.ts";

/** What the farm API calls the fields of the form. */
const FIELDS: Readonly<Record<string, ModeField>> = {
  lowerBound: "low",
  upperBound: "high",
  wateringDuration: "minutes",
  offDelayMinutes: "minutes",
  onTime: "time",
  wateringInterval: "interval",
  repeat: "repeat",
};

/** What of a field may be wrong that this page has not seen. */
export const SERVER_FAULTS: Readonly<Partial<Record<string, ModeFault>>> = {
  low: "boundRange",
  high: "boundRange",
  minutes: "minutesRange",
  time: "timeForm",
  interval: "intervalRange",
};

/** A refusal of the farm API with the names that the form has for its fields; anything else as it is. */
export function inFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = error.fields.map(({ field, defaultMessage }) => ({
    field: FIELDS[field] ?? field,
    defaultMessage,
  }));
  const { code, message, own } = error;
  return new ApiError(error.status, { code, message, errors, own }, error.retryAfterSeconds);
}
