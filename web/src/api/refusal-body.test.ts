// @vitest-environment node
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { ApiError, errorReason, NoAnswerError } from "./errors.ts";
import { performCall } from "./http.ts";

/** Return the error of an answer with this body. */
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

/** Error body of a Spring server, which has none of our codes. */
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

describe("body of an error answer", () => {
  it("[rest] takes code, text and fields of our own servers unchanged", async () => {
    const errors = [{ field: "name", defaultMessage: "is required" }];
    const error = await refused(422, { status: 422, error: "", code: "validation", message: "no", errors });
    expect(error).toMatchObject({ code: "validation", own: true, fields: errors, said: null });
  });

  it("[spec 8] keeps the `defaultMessage`s of a foreign farm API, with their fields if they have one", async () => {
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

  it("[spec 8] uses the answer's own message for other statuses, and our texts for 401, 404 and 500", async () => {
    const said = async (status: number) => (await refused(status, { message: " 잠긴 장치입니다 " })).said;
    expect(await said(409)).toBe("잠긴 장치입니다");
    expect(await said(423)).toBe("잠긴 장치입니다");
    for (const status of [401, 404, 500]) expect(await said(status)).toBeNull();
  });

  it("[rest] ignores any other body, and shows no more than one sentence of it", async () => {
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

  it("[spec 8] returns the foreign text or its field errors as the reason outside a form, else the code", async () => {
    const reason = async (status: number, body: unknown) => errorReason(await refused(status, body));
    expect(await reason(409, { message: "잠긴 장치입니다" })).toBe("잠긴 장치입니다");
    expect(await reason(400, SPRING)).toBe("숫자만 입력하세요 같은 이름이 있습니다");
    expect(await reason(500, { message: "NullPointerException at line 7" })).toBe("internal");
    expect(await reason(400, { message: "denied" })).toBe("malformed");
    expect(await reason(422, { code: "validation", message: "name is required" })).toBe("validation");
    expect(errorReason(new NoAnswerError("PUT"))).toBe("network");
  });
});
