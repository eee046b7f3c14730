import { describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../../api/errors.ts";
import { inFormFields } from "./mode-refusal.ts";

describe("refusal of a mode by the farm API", () => {
  it("[modes] is shown at the form field that it concerns", () => {
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

  it("[spec 8] quotes a farm API without codes at the form's fields too", () => {
    const refusal = new ApiError(400, { code: "malformed", message: "점검 중입니다", own: false }, null);
    expect(inFormFields(refusal)).toMatchObject({ own: false, said: "점검 중입니다" });
  });

  it("[modes] passes other errors on unchanged", () => {
    const error = new NoAnswerError("PUT");
    expect(inFormFields(error)).toBe(error);
  });
});
