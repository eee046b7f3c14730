import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { parse } from "./parse.ts";
import { TextRecord } from "./text-record.ts";

describe("[text-record]", () => {
  it("[text-record] equals the schema that TypeBox writes for a record of texts", () => {
    expect(TextRecord(Type.Number())).toEqual(Type.Record(Type.String(), Type.Number()));
    expect(TextRecord(Type.Null(), { maxProperties: 2 })).toEqual(
      Type.Record(Type.String(), Type.Null(), { maxProperties: 2 }),
    );
  });
  it("[text-record] accepts any names, and checks each value by its schema", () => {
    expect(parse(TextRecord(Type.Number()), { "": 1, 온도: 2 }).ok).toBe(true);
    expect(parse(TextRecord(Type.Number()), { a: "1" })).toMatchObject({ ok: false, path: "/a" });
    expect(parse(TextRecord(Type.Number()), []).ok).toBe(false);
  });
});
