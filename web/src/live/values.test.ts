import { describe, expect, it } from "vitest";
import { sensorValue } from "./testing/fake-relay.ts";
import { parseValue } from "./values.ts";

const whole = sensorValue();
const before = parseValue("sensor", "a", whole)?.value;
const patched = (change: Record<string, unknown>) =>
  parseValue("sensor", "a", { ...whole, ...change }, before ? { ...before } : undefined);

describe("checked values", () => {
  it("[ingest] a patched value is checked by what has changed", () => {
    expect(patched({ reading: { moisture: 12 } })?.value).toMatchObject({ reading: { moisture: 12 } });
    expect(patched({})).not.toBeNull();
  });
  it("[ingest] a patch that does not fit is left out, in any field", () => {
    expect(patched({ reading: { moisture: true } })).toBeNull();
    expect(patched({ at: "yesterday" })).toBeNull();
    expect(patched({ quality: "perfect" })).toBeNull();
    expect(patched({ info: { id: "a" } })).toBeNull();
  });
  it("[ingest] a whole value that lacks a field is left out, whatever stood there before", () => {
    const { info: _gone, ...rest } = whole;
    expect(parseValue("sensor", "a", rest, before ? { ...before } : undefined)).toBeNull();
  });
});
