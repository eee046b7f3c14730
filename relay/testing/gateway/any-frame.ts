import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import fc from "fast-check";

/** Tokens that the farm of a fuzzing test grants: two of account `a`, one of account `b`. */
export const TOKENS = { mine: "token-a", mineToo: "token-a2", foreign: "token-b" } as const;

/** Keys of account `a` and of account `b`, and keys that do not exist. */
export const MY_KEYS = ["sensor:1", "sensor:2", "channel:7"] as const;
export const FOREIGN_KEYS = ["sensor:91", "farm:92", "channel:93"] as const;

const strange = fc.constantFrom(
  "",
  "\u0000",
  "\ud800",
  "💧",
  "__proto__",
  "constructor",
  "toString",
  "a".repeat(5_000),
);
const key = fc.oneof(fc.constantFrom<string>(...MY_KEYS, ...FOREIGN_KEYS), fc.constant("__proto__"));
const stream = fc.constantFrom("devices" as const, "events" as const);
const position = fc.record({
  epoch: fc.constantFrom("epoch-a", "epoch-b", "epoch-that-never-was"),
  offset: fc.oneof(
    fc.nat({ max: 12 }),
    fc.constantFrom(2 ** 31, Number.MAX_SAFE_INTEGER, 2 ** 53, Number.MAX_VALUE),
  ),
});

/** Any JSON, including values that break careless code. */
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(null, true, -0, 1e308, [], {}, [[]], "hello"),
  fc.dictionary(fc.oneof(strange, fc.constantFrom("t", "stream", "token")), fc.jsonValue(), { maxKeys: 4 }),
);

const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  strange,
  fc.constantFrom<unknown>("marker", "bye", -1, 0.5, Number.MIN_SAFE_INTEGER, Array(501).fill("sensor:1")),
);

/** A frame on the WebSocket transport: text, or bytes in a binary frame. */
export type RawFrame = { readonly text: string } | { readonly bytes: Uint8Array };

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/**
 * Generate any message of a client, in any order, with the keys of any account.
 * @param token its token
 */
const messagesWith = (token: fc.Arbitrary<string>): fc.Arbitrary<ClientMessage> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ t: fc.constant("hello" as const), protocol: fc.constant(1), token }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ t: fc.constant("hello" as const), protocol: fc.integer(), token }),
    },
    { weight: 2, arbitrary: fc.record({ t: fc.constant("auth" as const), token }) },
    {
      weight: 6,
      arbitrary: fc.record(
        {
          t: fc.constant("subscribe" as const),
          stream,
          position,
          track: fc.array(key, { maxLength: 4 }),
        },
        { requiredKeys: ["t", "stream"] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ t: fc.constant("unsubscribe" as const), stream }) },
  );

/** Generate a message of the protocol with one error: a wrong, missing or additional field. */
const mutatedOf = (validMessage: fc.Arbitrary<ClientMessage>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      validMessage,
      fc.constantFrom("t", "stream", "token", "protocol", "position", "track", "extra"),
      fc.constantFrom("set", "drop", "wrap", "deep"),
      wrongValue,
    )
    .map(([message, field, how, value]): unknown => {
      const fields: Record<string, unknown> = { ...message };
      switch (how) {
        case "set":
          return { ...fields, [field]: value };
        case "drop":
          delete fields[field];
          return fields;
        case "wrap":
          return { t: fields.t, [field]: { [field]: fields[field] } };
        case "deep":
          return fields.position === undefined
            ? [fields]
            : { ...fields, position: { ...Object(fields.position), offset: value } };
        default:
          return fields;
      }
    });

/** Generate any JSON content of a frame. */
export function anyMessageWith(token: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const valid = messagesWith(token);
  return fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 2, arbitrary: mutatedOf(valid) },
    { weight: 1, arbitrary: anyJson },
  );
}

/** Generate any bytes on a connection, from valid to hostile. */
export function anyFrameWith(token: fc.Arbitrary<string>): fc.Arbitrary<RawFrame> {
  return fc.oneof(
    {
      weight: 6,
      arbitrary: anyMessageWith(token).map((message) => ({ text: JSON.stringify(message) ?? "" })),
    },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }).map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ bytes })) },
    // Valid text in a binary frame, cut short, or twice in one frame.
    {
      weight: 1,
      arbitrary: fc
        .tuple(messagesWith(token), fc.nat({ max: 60 }), fc.nat({ max: 2 }))
        .map(([message, at, how]) => {
          const text = JSON.stringify(message);
          if (how === 0) return { bytes: new TextEncoder().encode(text) };
          return { text: how === 1 ? text.slice(0, at) : text + text };
        }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<RawFrame>(
        { text: nested(30_000, "[", "]") },
        { text: nested(10_000, '{"t":', "}") },
        { text: `{"t":"subscribe","stream":"devices","track":${nested(20_000, "[", "]")}}` },
        { text: `{"t":"auth","token":"${"x".repeat(60_000)}"}` },
        { text: `{"t":"subscribe","stream":"devices","position":{"epoch":"e","offset":-1}}` },
        { text: `{"t":"subscribe","stream":"devices","position":{"epoch":"e","offset":1e999}}` },
        { text: `{"t":"subscribe","stream":"fleet","as":"b"}` },
        { text: `{"t":"subscribe","stream":"devices","as":"b"}` },
        { text: '{"t":"subscribe","__proto__":{"stream":"devices"}}' },
      ),
    },
  );
}
