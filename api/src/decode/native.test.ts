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

test.each(["2026-11-21", "11:00", "2026-02-30T00:00:00", "1763", "17636904000000", "9999-99-99T99:99Z"])(
  "[ORD-2] %s is no time of a message, which counts as of its arrival",
  (at) => {
    expect(decode(JSON.stringify({ at, moisture: 1 }))).toMatchObject({
      ok: true,
      time: { kind: "unbelievable", reason: "bad-time" },
    });
  },
);

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
  [
    "Asia/Seoul",
    "10:29 in the morning of a backlog",
    "2026-11-28T10:29:00",
    "2026-11-28T04:33:00Z",
    "01:29",
    null,
  ],
  ["Asia/Seoul", "now, in UTC", "2026-11-28T04:30:00", "2026-11-28T04:33:00Z", "04:30", null],
  ["Asia/Seoul", "of a backlog in UTC", "2026-11-28T01:29:00", "2026-11-28T04:33:00Z", "01:29", "utc"],
  ["America/New_York", "of a backlog", "2026-11-28T06:00:00", "2026-11-28T15:00:00Z", "11:00", null],
  [
    "America/New_York",
    "of five hours ago in UTC",
    "2026-11-28T10:00:00",
    "2026-11-28T15:00:00Z",
    "10:00",
    "utc",
  ],
  [
    "Australia/Lord_Howe",
    "the second pass of a half hour",
    "2026-04-05T01:45:00",
    "2026-04-04T15:15:00Z",
    "15:15",
    null,
  ],
  [
    "Australia/Lord_Howe",
    "the first pass of a half hour",
    "2026-04-05T01:45:00",
    "2026-04-04T14:45:00Z",
    "14:45",
    null,
  ],
  [
    "Europe/Berlin",
    "the second pass of an hour",
    "2026-10-25T02:30:00",
    "2026-10-25T01:30:00Z",
    "01:30",
    null,
  ],
] as const)(
  "[TIME-1] a device in %s writes a time without a zone: %s",
  (zone, _what, at, arrival, read, form) => {
    const receivedAt = Date.parse(arrival);
    const message = bytes(JSON.stringify({ at, moisture: 1 }));
    const decoded = decodeNative(message, "SMS", receivedAt, createApiTimeZone(zone), form);
    const time =
      decoded.ok && decoded.time.kind === "stated" ? new Date(decoded.time.at).toISOString() : null;
    expect(time?.slice(11, 16)).toBe(read);
  },
);

test("[TIME-1] a time without a zone that may be of now in UTC and in the API's zone marks no clock", () => {
  const message = bytes('{"at":"2026-07-21T03:00:00","moisture":1}');
  const arrival = Date.UTC(2026, 6, 21, 3);
  expect(decodeNative(message, "SMS", arrival, createApiTimeZone("Europe/London"))).toMatchObject({
    ok: true,
    time: { kind: "ambiguous" },
  });
});

test("[ORD-2] a time without a zone that is ahead in UTC and in the API's zone is not believed", () => {
  expect(decode('{"at":"2026-11-22T12:00:00","moisture":1}')).toMatchObject({
    time: { kind: "unbelievable", reason: "from-future" },
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
