import { describe, expect, it } from "vitest";
import { parseValue } from "./store.ts";
import { sensorValue } from "./testing/fake-relay.ts";

const whole = sensorValue();
const before = parseValue("sensor", "a", whole)?.value;
const patched = (change: Record<string, unknown>) =>
  parseValue("sensor", "a", { ...whole, ...change }, before ? { ...before } : undefined);

describe("validated values", () => {
  it("[ingest] validates a patched value by its changed fields", () => {
    expect(patched({ reading: { moisture: 12 } })?.value).toMatchObject({ reading: { moisture: 12 } });
    expect(patched({})).not.toBeNull();
  });
  it("[ingest] omits a patch with an invalid value in any field", () => {
    expect(patched({ reading: { moisture: true } })).toBeNull();
    expect(patched({ at: "yesterday" })).toBeNull();
    expect(patched({ quality: "perfect" })).toBeNull();
    expect(patched({ info: { id: "a" } })).toBeNull();
  });
  it("[ingest] omits a whole value that lacks a field, whatever the previous value was", () => {
    const { info: _gone, ...rest } = whole;
    expect(parseValue("sensor", "a", rest, before ? { ...before } : undefined)).toBeNull();
  });
});
