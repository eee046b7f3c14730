import { describe, expect, it } from "vitest";
import { addToBucket, emptyBucket } from "../../chart/bucket.ts";
import { bridge } from "./bridge.ts";

/** `x` is a bucket with a reading, `.` one without; readings count up from 0. */
const from = (picture: string) => {
  let value = 0;
  return [...picture].map((mark, index) => {
    const bucket = emptyBucket(index * 10);
    if (mark === ".") return bucket;
    value += 1;
    return addToBucket(bucket, value);
  });
};
const picture = (text: string) =>
  bridge(from(text))
    .map(({ count }) => (count > 0 ? "x" : "."))
    .join("");

describe("bridge", () => {
  it("[log] draws a line through buckets shorter than the reporting interval", () => {
    expect(picture("x..x..x..x")).toBe("xxxxxxxxxx");
    expect(picture("x.x.x..x.x")).toBe("xxxxxxxxxx");
  });
  it("[log] keeps a silence longer than usual as a gap", () => {
    expect(picture("xxxxx...xxxxx")).toBe("xxxxx...xxxxx");
    expect(picture("x..x..x.........x..x..x")).toBe("xxxxxxx.........xxxxxxx");
  });
  it("[log] compares each silence with its neighbours if a device reported more slowly before", () => {
    expect(picture("x...x...x...x...xxxxxxxxxxx...xxxxxxx")).toBe("xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxx");
  });
  it("[log] interpolates linearly between readings", () => {
    expect(bridge(from("x.x.x")).map(({ avg }) => avg)).toEqual([1, 1.5, 2, 2.5, 3]);
  });
  it("[log] leaves charts without gaps, without readings or with a single reading unchanged", () => {
    for (const text of ["xxxx", "....", "..x.", ""]) expect(picture(text)).toBe(text);
  });
});
