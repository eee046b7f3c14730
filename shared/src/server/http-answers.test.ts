import { describe, expect, test } from "vitest";
import { AllowedMethods } from "./allowed-methods.ts";
import { mayCompress } from "./compression.ts";
import { fieldErrorsOf } from "./field-errors.ts";

describe("[http] methods of a path", () => {
  const methods = new AllowedMethods();
  methods.add(["GET", "HEAD"], "/sensor/list");
  methods.add("POST", "/sensor/:id/log");
  methods.add("GET", "/sensor/:id/log");
  methods.add("GET", "/sensor/:id/log");
  methods.add("GET", "/*");
  test.each([
    ["/sensor/list", ["GET", "HEAD"]],
    ["/sensor/7/log", ["GET", "POST"]],
    ["/sensor/7", []],
    ["/anything", []],
  ])("[http] of %s", (path, expected) => {
    expect(methods.of(path)).toEqual(expected);
  });
});

test("[http] wrong fields are named once each, with their whole path, twenty at most", () => {
  const problem = (instancePath: string, params = {}) => ({ instancePath, message: "must be 1", params });
  expect(
    fieldErrorsOf([
      problem("/settings/pages/0"),
      problem("/settings", { missingProperty: "turnSeconds" }),
      problem("", { missingProperty: "name" }),
      problem("/settings", { additionalProperty: "colour" }),
      problem("/settings/pages/0"),
      problem("/a~1b"),
    ]).map(({ field }) => field),
  ).toEqual(["settings.pages.0", "settings.turnSeconds", "name", "settings.colour", "a/b"]);
  expect(fieldErrorsOf(Array.from({ length: 500 }, (_, at) => problem(`/items/${at}`)))).toHaveLength(20);
});

test("[http] answers with secrets are not compressed: those to writes, and those of named routes", () => {
  const json = "application/json; charset=utf-8";
  expect(["GET", "HEAD", "POST", "PUT", "DELETE"].map((method) => mayCompress(method, json, false))).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(mayCompress("GET", json, true)).toBe(false);
  const types = ["application/problem+json", "image/svg+xml", "text/html", "application/gzip", undefined];
  expect(types.map((type) => mayCompress("GET", type, false))).toEqual([true, false, false, false, false]);
});
