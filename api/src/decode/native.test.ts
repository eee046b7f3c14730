import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeChannelState } from "./channel-state.ts";
import { decodeNative } from "./native.ts";

const SEOUL = createApiTimeZone("Asia/Seoul");
const NOW = Date.UTC(2026, 10, 21, 3);
const bytes = (text: string): Uint8Array => Buffer.from(text);
const decode = (text: string) => decodeNative(bytes(text), "SMS", NOW, SEOUL);

test("[ingest] uses a message's own time with any offset, or its arrival", () => {
  expect(decode('{"at":"2026-11-21T11:00:00+09:00","moisture":1}')).toMatchObject({
    time: { kind: "stated", at: Date.UTC(2026, 10, 21, 2) },
  });
  for (const text of ['{"moisture":1}', '{"at":null,"moisture":1}', '{"at":"","moisture":1}']) {
    expect(decode(text)).toMatchObject({ time: { kind: "absent" } });
  }
});

test.each([
  "2026-11-21",
  "2026-11-21 09:00",
  "11:00",
  "2026-02-30T00:00:00",
  "1763",
  "17636904000000",
  "9999-99-99T99:99Z",
])("[ORD-2] %s is no time of a message, which counts as of its arrival", (at) => {
  expect(decode(JSON.stringify({ at, moisture: 1 }))).toMatchObject({
    ok: true,
    time: { kind: "unbelievable", reason: "bad-time" },
  });
});

test.each([
  ["seconds", NOW / 1_000],
  ["seconds with a fraction", NOW / 1_000 + 0.5],
  ["milliseconds", NOW],
  ["seconds as text", String(NOW / 1_000)],
  ["milliseconds as text", String(NOW)],
  ["a space instead of the T", "2026-11-21 12:00:00+09:00"],
  ["the API's zone, without saying so", "2026-11-21T12:00:00"],
  ["UTC, without saying so", "2026-11-21 03:00"],
])("[ingest] a time in %s is taken", (_name, at) => {
  const decoded = decode(JSON.stringify({ at, moisture: 1 }));
  expect(decoded).toMatchObject({ ok: true, time: { kind: "stated" } });
  expect(
    Math.abs((decoded.ok && decoded.time.kind === "stated" ? decoded.time.at : 0) - NOW),
  ).toBeLessThanOrEqual(500);
});

test.each([
  ["is older than an hour in both zones", "Asia/Seoul", "2026-11-21T10:30:00"],
  ["fits both zones", "Europe/London", "2026-07-21T03:00:00"],
])("[ingest] a time without a zone that %s is no time", (_name, zone, at) => {
  const arrival = at.includes("-07-") ? Date.UTC(2026, 6, 21, 3) : NOW;
  const message = bytes(JSON.stringify({ at, moisture: 1 }));
  expect(decodeNative(message, "SMS", arrival, createApiTimeZone(zone))).toMatchObject({
    ok: true,
    time: { kind: "unbelievable", reason: "bad-time" },
  });
});

test("[ingest] a time without a zone is UTC where the API's zone is UTC too", () => {
  const message = bytes('{"at":"2026-11-21T02:59:00","moisture":1}');
  expect(decodeNative(message, "SMS", NOW, createApiTimeZone("UTC"))).toMatchObject({
    time: { kind: "stated", at: NOW - 60_000 },
  });
});

test("[ingest] a channel's numbers may be text, and an invalid signal does not invalidate the report", () => {
  const state = bytes('{"onoff":"1","moisture":"30.5","rssi":"-71"}');
  expect(decodeChannelState(state, NOW, SEOUL)).toMatchObject({
    ok: true,
    content: { onoff: 1, moisture: 30.5, rssi: -71 },
  });
  expect(decodeChannelState(bytes('{"onoff":2,"rssi":"strong"}'), NOW, SEOUL)).toMatchObject({
    content: { onoff: 2, rssi: null },
  });
});

test("[ingest] a bare NaN is missing, and stays unchanged inside a text", () => {
  expect(
    decode('{"moisture": NaN, "soilTemperature": -Infinity, "battery": 5, "fwversion": "NaN \\" 1"}'),
  ).toMatchObject({
    ok: true,
    fields: { battery: 5 },
    fwversion: 'NaN " 1',
  });
});

test("[ingest] reads firmware and signal as sent; an impossible signal is missing", () => {
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
      expect(typeof decodeNative(payload, "SMS", NOW, SEOUL).ok).toBe("boolean");
      expect(typeof decodeChannelState(payload, NOW, SEOUL).ok).toBe("boolean");
    }),
  );
});
