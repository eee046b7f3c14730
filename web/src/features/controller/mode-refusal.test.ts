import { describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../../rest/errors.ts";
import { inFormFields } from "./mode-refusal.ts";

describe("what the farm API refuses of a mode", () => {
  it("[modes] stands at the field that the form has for it", () => {
    const errors = ["lowerBound", "offDelayMinutes", "onTime", "active"].map((field) => ({
      field,
      defaultMessage: "no",
    }));
    const renamed = inFormFields(new ApiError(422, { code: "validation", message: "", errors }, 3));
    expect(renamed).toBeInstanceOf(ApiError);
    expect(renamed).toMatchObject({ status: 422, code: "validation", retryAfterSeconds: 3 });
    expect(renamed instanceof ApiError && renamed.fields.map(({ field }) => field)).toEqual([
      "low",
      "minutes",
      "time",
      "active",
    ]);
  });

  it("[spec 8] what a farm API without codes says is said by it under the form's names too", () => {
    const refusal = new ApiError(400, { code: "malformed", message: "점검 중입니다", own: false }, null);
    expect(inFormFields(refusal)).toMatchObject({ own: false, said: "점검 중입니다" });
  });

  it("[modes] what is no refusal stays what it is", () => {
    const error = new NoAnswerError("PUT");
    expect(inFormFields(error)).toBe(error);
  });
});
