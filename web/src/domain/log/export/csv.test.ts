import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, it } from "vitest";
import { emptyBucket } from "../../chart/bucket.ts";
import { csvOf } from "./card-files.ts";

const bucket = (t: number, avg: number) => ({ t, count: 1, min: avg, max: avg, avg, last: avg });
const START = Date.parse("2026-11-21T15:00:00Z") / 1000;
const seoul = createApiTimeZone("Asia/Seoul").toApi;

describe("csv", () => {
  it("[spec 9] contains date and value: comma, YYYY/MM/DD HH:mm:ss on the account's clock, UTF-8 with a byte order mark", () => {
    const buckets = [bucket(START, 1_234), emptyBucket(START + 60), bucket(START + 120, -5)];
    const text = csvOf("date", [{ head: "VPD kPa", buckets, field: { decimals: 1, scale: 0.001 } }], seoul);
    expect(text).toBe("\ufeffdate,VPD kPa\r\n2026/11/22 00:00:00,1.2\r\n2026/11/22 00:02:00,0.0\r\n");
    expect([...new TextEncoder().encode(text)].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
  });
  it("[spec 9] has a column for each line; a missing value is empty", () => {
    const columns = [
      { head: "a", buckets: [bucket(START, 1), bucket(START + 60, 2)], field: { decimals: 0 } },
      { head: "b", buckets: [bucket(START + 60, 3)], field: { decimals: 0 } },
    ];
    expect(csvOf("date", columns, seoul).split("\r\n")).toEqual([
      "\ufeffdate,a,b",
      "2026/11/22 00:00:00,1,",
      "2026/11/22 00:01:00,2,3",
      "",
    ]);
  });
  it("[spec 9] escapes names that would break the line or be read as a formula", () => {
    const columns = [{ head: 'Bed "1", north', buckets: [], field: { decimals: 0 } }];
    expect(csvOf("=1+1", columns, seoul)).toBe('\ufeff\'=1+1,"Bed ""1"", north"\r\n');
  });
});
