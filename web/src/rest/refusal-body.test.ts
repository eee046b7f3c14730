// @vitest-environment node
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { errorReason } from "./error-reason.ts";
import { ApiError, NoAnswerError } from "./errors.ts";
import { performCall } from "./http.ts";

/** What becomes of an error answer with this body. */
async function refused(status: number, body: unknown): Promise<ApiError> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const call = { method: "POST", path: "/api/v1/sensor/add", answer: Type.Unknown() } as const;
  const error = await performCall(async () => new Response(text, { status }), call, null).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error("the call was not refused");
  return error;
}

/** As a Spring server writes it, which knows no codes of ours. */
const SPRING = {
  timestamp: "2026-11-22T05:03:00.000+00:00",
  status: 400,
  error: "Bad Request",
  message: "Validation failed for object='sensorForm'. Error count: 2",
  errors: [
    {
      codes: ["Pattern.sensorForm.serial"],
      field: "serial",
      defaultMessage: "숫자만 입력하세요",
      rejectedValue: "a",
    },
    { objectName: "sensorForm", defaultMessage: "같은 이름이 있습니다" },
  ],
  path: "/api/v1/sensor/add",
};

describe("the body of an error answer", () => {
  it("[rest] our own servers' code, sentence and fields are taken as they are", async () => {
    const errors = [{ field: "name", defaultMessage: "is required" }];
    const error = await refused(422, { status: 422, error: "", code: "validation", message: "no", errors });
    expect(error).toMatchObject({ code: "validation", own: true, fields: errors, said: null });
  });

  it("[spec 8] the `defaultMessage`s of a farm API that is not ours are kept, with their fields where they have one", async () => {
    const error = await refused(400, SPRING);
    expect(error).toMatchObject({ code: "malformed", own: false, hasReason: true });
    expect(error.fields).toEqual([
      { field: "serial", defaultMessage: "숫자만 입력하세요" },
      { field: "", defaultMessage: "같은 이름이 있습니다" },
    ]);
    expect((await refused(400, SPRING.errors)).fields).toHaveLength(2);
  });

  it.each([
    [400, "malformed"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
    [409, "conflict"],
    [413, "too-large"],
    [422, "validation"],
    [429, "too-many-requests"],
    [500, "internal"],
    [503, "internal"],
    [418, "http-418"],
  ])("[spec 8] %i without a body is %s", async (status, code) => {
    expect(await refused(status, "")).toMatchObject({ code, own: false, hasReason: false, said: null });
  });

  it("[spec 8] another status is told in the answer's own message; 401, 404 and 500 have sentences of ours", async () => {
    const said = async (status: number) => (await refused(status, { message: " 잠긴 장치입니다 " })).said;
    expect(await said(409)).toBe("잠긴 장치입니다");
    expect(await said(423)).toBe("잠긴 장치입니다");
    for (const status of [401, 404, 500]) expect(await said(status)).toBeNull();
  });

  it("[rest] whatever else comes is no reason, and no more of it is shown than a sentence", async () => {
    for (const body of [
      "<html>502</html>",
      "null",
      "7",
      { message: 3, errors: "x", code: {} },
      { errors: [null, { defaultMessage: "" }] },
    ]) {
      expect(await refused(400, body)).toMatchObject({ code: "malformed", fields: [], hasReason: false });
    }
    expect(await refused(409, { code: "E-17", message: "" })).toMatchObject({ code: "conflict", own: false });
    expect((await refused(400, { message: "x".repeat(5_000) })).said).toHaveLength(300);
  });

  it("[spec 8] where no form stands, the reason is the foreign sentence, or the faults of its fields; else the code", async () => {
    const reason = async (status: number, body: unknown) => errorReason(await refused(status, body));
    expect(await reason(409, { message: "잠긴 장치입니다" })).toBe("잠긴 장치입니다");
    expect(await reason(400, SPRING)).toBe("숫자만 입력하세요 같은 이름이 있습니다");
    expect(await reason(500, { message: "NullPointerException at line 7" })).toBe("internal");
    expect(await reason(400, { message: "denied" })).toBe("malformed");
    expect(await reason(422, { code: "validation", message: "name is required" })).toBe("validation");
    expect(errorReason(new NoAnswerError("PUT"))).toBe("network");
  });
});
