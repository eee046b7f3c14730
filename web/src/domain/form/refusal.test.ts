import { describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../../api/errors.ts";
import { FormFailure, type RefusalTexts, refusalOf } from "./refusal.ts";

const texts: RefusalTexts = {
  error: (code) => `<${code}>`,
  refused: (field, sentence) => `${field}! ${sentence}`,
  other: (_field, sentence, own) => (own && sentence.startsWith("secret") ? "" : sentence),
  said: (sentence) => `said ${sentence}`,
  wait: (seconds) => `wait ${seconds}`,
  wrongPicture: "wrong picture",
  taken: { field: "name", sentence: "taken" },
};
const fieldOf = (name: string) =>
  name === "name" || name === "serial" ? name : name === "serialNumber" ? "serial" : null;
const refuse = (error: unknown) => refusalOf(error, fieldOf, texts);
const no = (status: number, code: string, errors: ApiError["fields"] = [], wait: number | null = null) =>
  new ApiError(status, { code, message: "", errors }, wait);

describe("refusal", () => {
  it("[form] shows the server's error at its field", () => {
    const fields = [{ field: "serial", defaultMessage: "digits only" }];
    expect(refuse(no(422, "validation", fields))).toEqual({
      fields: { serial: "serial! digits only" },
      failure: null,
    });
  });

  it("[form] shows all of the server's errors for a field, one per line", () => {
    const fields = [
      { field: "serial", defaultMessage: "digits only" },
      { field: "serial", defaultMessage: "too long" },
    ];
    expect(refuse(no(422, "validation", fields)).fields).toEqual({
      serial: "serial! digits only\nserial! too long",
    });
  });

  it("[form] keeps an error for a field that the form lacks", () => {
    const fields = [
      { field: "serial", defaultMessage: "digits only" },
      { field: "colour", defaultMessage: "too bright" },
    ];
    expect(refuse(no(422, "validation", fields))).toEqual({
      fields: { serial: "serial! digits only" },
      failure: "<validation>\ntoo bright",
    });
  });

  it("[form] maps the server's field names to the form's own and omits errors without a text", () => {
    const fields = [
      { field: "serialNumber", defaultMessage: "digits only" },
      { field: "colour", defaultMessage: "secret" },
    ];
    expect(refuse(no(422, "validation", fields))).toEqual({
      fields: { serial: "serialNumber! digits only" },
      failure: "<validation>",
    });
  });

  it("[form] shows a form's own text at a field", () => {
    expect(refuse(new FormFailure("the picture is missing", { image: "too large" }))).toEqual({
      fields: { image: "too large" },
      failure: "the picture is missing",
    });
  });

  it("[form] shows a conflict at the field that must change", () => {
    expect(refuse(no(409, "conflict"))).toEqual({ fields: { name: "taken" }, failure: null });
    expect(refusalOf(no(409, "conflict"), fieldOf, { ...texts, taken: null }).failure).toBe("<conflict>");
    const named = (field: string) => no(409, "conflict", [{ field, defaultMessage: "another has it" }]);
    expect(refuse(named("name")).fields).toEqual({ name: "taken" });
    expect(refuse(named("serial")).fields).toEqual({ serial: "serial! another has it" });
  });

  it("[form] shows the waiting time after too many attempts", () => {
    expect(refuse(no(429, "too-many-requests", [], 30)).failure).toBe("wait 30");
    expect(refuse(no(429, "too-many-requests")).failure).toBe("<too-many-requests>");
    expect(refuse(no(503, "upstream-down", [], 5)).failure).toBe("<upstream-down>\nwait 5");
  });

  it("[form] quotes a farm API without codes if it says more than its status", () => {
    const foreign = (status: number, message: string, errors: ApiError["fields"] = []) =>
      refuse(new ApiError(status, { code: "by-status", message, errors, own: false }, null));
    expect(foreign(400, "시리얼이 이미 있습니다").failure).toBe("said 시리얼이 이미 있습니다");
    expect(foreign(400, "").failure).toBe("<by-status>");
    expect(foreign(500, "NullPointerException").failure).toBe("<by-status>");
    const faults = [{ field: "", defaultMessage: "필수 값입니다" }];
    expect(foreign(400, "Bad Request", faults).failure).toBe("said 필수 값입니다");
  });

  it("[form] quotes a conflict of a farm API without codes if it names the collision", () => {
    const foreign = (message: string, errors: ApiError["fields"] = []) =>
      refuse(new ApiError(409, { code: "conflict", message, errors, own: false }, null));
    expect(foreign("이미 사용 중인 이메일입니다")).toEqual({
      fields: {},
      failure: "said 이미 사용 중인 이메일입니다",
    });
    expect(foreign("")).toEqual({ fields: { name: "taken" }, failure: null });
    const fault = { field: "name", defaultMessage: "중복된 이름입니다" };
    expect(foreign("", [fault]).fields).toEqual({ name: "name! 중복된 이름입니다" });
  });

  it("[form] has a text for an unreadable image, for a missing answer and for a form's own failure", () => {
    expect(refuse(no(415, "http-415")).failure).toBe("wrong picture");
    expect(refuse(new NoAnswerError("PUT")).failure).toBe("<network>");
    expect(refuse(new FormFailure("the picture is missing")).failure).toBe("the picture is missing");
    expect(refuse(new TypeError("a fault of ours")).failure).toBe("<unknown>");
  });
});
