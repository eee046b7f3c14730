import { ApiError } from "../../api/errors.ts";
import type { ModeFault, ModeField } from "./mode-model.ts";

/** Form fields by their names in the farm API. */
const FIELDS: Readonly<Record<string, ModeField>> = {
  lowerBound: "low",
  upperBound: "high",
  wateringDuration: "minutes",
  offDelayMinutes: "minutes",
  onTime: "time",
  wateringInterval: "interval",
  repeat: "repeat",
};

/** Faults that only the farm API can detect, by field. */
export const SERVER_FAULTS: Readonly<Partial<Record<string, ModeFault>>> = {
  low: "boundRange",
  high: "boundRange",
  minutes: "minutesRange",
  time: "timeForm",
  interval: "intervalRange",
};

/** Return a refusal of the farm API with the form's field names; other errors unchanged. */
export function inFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = error.fields.map(({ field, defaultMessage }) => ({
    field: FIELDS[field] ?? field,
    defaultMessage,
  }));
  const { code, message, own } = error;
  return new ApiError(error.status, { code, message, errors, own }, error.retryAfterSeconds);
}
