import { describe, expect, it } from "vitest";
import { addToBucket, emptyBucket } from "../../ui/chart/bucket.ts";
import { bridge } from "./bridge.ts";

/** `x` a bucket with a reading, `.` one without; readings count up from 0. */
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
  it("[log] draws through buckets that are shorter than the time between two readings", () => {
    expect(picture("x..x..x..x")).toBe("xxxxxxxxxx");
    expect(picture("x.x.x..x.x")).toBe("xxxxxxxxxx");
  });
  it("[log] a silence longer than usual stays a gap", () => {
    expect(picture("xxxxx...xxxxx")).toBe("xxxxx...xxxxx");
    expect(picture("x..x..x.........x..x..x")).toBe("xxxxxxx.........xxxxxxx");
  });
  it("[log] judges each silence by its neighbours, where a device spoke slower before", () => {
    expect(picture("x...x...x...x...xxxxxxxxxxx...xxxxxxx")).toBe("xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxx");
  });
  it("[log] goes straight from one reading to the next", () => {
    expect(bridge(from("x.x.x")).map(({ avg }) => avg)).toEqual([1, 1.5, 2, 2.5, 3]);
  });
  it("[log] a chart without holes, without readings or with one alone stays as it is", () => {
    for (const text of ["xxxx", "....", "..x.", ""]) expect(picture(text)).toBe(text);
  });
});
