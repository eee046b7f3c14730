import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeChannelState } from "./channel-state.ts";
import { decodeNative } from "./native.ts";

const NOW = Date.UTC(2026, 10, 21, 3);
const bytes = (text: string): Uint8Array => Buffer.from(text);
const decode = (text: string) => decodeNative(bytes(text), "SMS", NOW);

test("[ingest] a message gives its own time in any offset, or its arrival", () => {
  expect(decode('{"at":"2026-11-21T11:00:00+09:00","moisture":1}')).toMatchObject({
    at: Date.UTC(2026, 10, 21, 2),
    atGiven: true,
  });
  for (const text of ['{"moisture":1}', '{"at":null,"moisture":1}', '{"at":"","moisture":1}']) {
    expect(decode(text)).toMatchObject({ at: NOW, atGiven: false });
  }
});

test.each([
  "2026-11-21",
  "2026-11-21 11:00",
  "11:00",
  "2026-02-30T00:00:00",
  "1763690400",
  "9999-99-99T99:99Z",
])("[ingest] %s is no time of a message", (at) => {
  expect(decode(JSON.stringify({ at, moisture: 1 }))).toMatchObject({ ok: false, reason: "bad-time" });
});

test("[ingest] a bare NaN is missing, and stays itself inside a text", () => {
  expect(
    decode('{"moisture": NaN, "soilTemperature": -Infinity, "battery": 5, "fwversion": "NaN \\" 1"}'),
  ).toMatchObject({
    ok: true,
    fields: { battery: 5 },
    fwversion: 'NaN " 1',
  });
});

test("[ingest] firmware and signal are read as they come; what cannot be a signal is missing", () => {
  expect(decode('{"moisture":1,"fwversion":1.5,"rssi":"-71"}')).toMatchObject({
    fwversion: "1.5",
    rssi: -71,
  });
  expect(decode('{"moisture":1,"fwversion":"a\\u0000b","rssi":"strong"}')).toMatchObject({
    fwversion: "ab",
    rssi: null,
  });
  expect(decode('{"moisture":1,"fwversion":{}}')).toMatchObject({ ok: false, reason: "wrong-type" });
});

test("[ingest] no bytes make a decoder throw", () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc.json().map((text) => bytes(text)),
    fc.object().map((value) => bytes(JSON.stringify(value))),
  );
  fc.assert(
    fc.property(anything, (payload) => {
      expect(typeof decodeNative(payload, "SMS", NOW).ok).toBe("boolean");
      expect(typeof decodeChannelState(payload, NOW).ok).toBe("boolean");
    }),
  );
});
