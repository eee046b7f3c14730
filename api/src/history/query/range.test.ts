import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { expect, test } from "vitest";
import { ApiError } from "../../http/api-error.ts";
import { rangeOf } from "./range.ts";

const zone = createApiTimeZone("Asia/Seoul");
const utc = (text: string): number => Date.parse(`${text}Z`);

test.each([
  ["2026-11-21 00:00", "2026-11-21 23:59", "2026-11-20T15:00:00", "2026-11-21T15:00:00"],
  ["2026-11-21", "2026-11-22", "2026-11-20T15:00:00", "2026-11-22T15:00:00"],
  ["2026-11-21 10:00:30", "2026-11-21 10:00:30", "2026-11-21T01:00:30", "2026-11-21T01:00:31"],
])("[log] %s to %s counts its last part whole", (start, end, from, to) => {
  expect(rangeOf(start, end, zone)).toEqual({ from: utc(from), to: utc(to) });
});

test.each([
  ["yesterday", "2026-11-21"],
  ["2026-11-21", "2026-02-30"],
  ["2026-11-21 25:00", "2026-11-22"],
  ["2026-11-22", "2026-11-21"],
])("[log] %s to %s is no range", (start, end) => {
  expect(() => rangeOf(start, end, zone)).toThrow(ApiError);
});
