import { ErrorBody } from "@mulkko/shared/rest/errors";
import { openApi } from "@mulkko/shared/rest/operations/account";
import { parse } from "@mulkko/shared/schema/parse";
import fc from "fast-check";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CASES } from "../contract/cases.ts";
import { type Operation, operationsOf } from "../contract/operations.ts";
import { environmentOf, openPlaces } from "../places.ts";
import { startTestFarm, type TestFarm } from "../test-farm.ts";

/** Requests per operation. The contract walk fuzzes the content of JSON bodies. */
const REQUESTS = 20;
/** Takes no input that could be invalid, and copies the whole database each time. */
const LEFT_OUT = "GET /api/v1/admin/backup";
const SEED = 20_261_121;
vi.setConfig({ testTimeout: 120_000 });

const Parameters = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        parameters: Type.Optional(Type.Array(Type.Object({ in: Type.String(), name: Type.String() }))),
      }),
    ),
  ),
});

const places = await openPlaces();
let farm: TestFarm;
let operations: Operation[];
/** Query parameters of every operation: each operation also gets those of the others. */
let queryNames: string[];

beforeAll(async () => {
  farm = await startTestFarm(environmentOf(await places.create("postgres")));
  const document: unknown = (await farm.app.inject({ url: openApi.path })).json();
  operations = operationsOf(document).filter(({ name }) => name !== LEFT_OUT);
  const parsed = parse(Parameters, document);
  if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
  const parameters = Object.values(parsed.value.paths).flatMap((methods) =>
    Object.values(methods).flatMap((one) => one.parameters ?? []),
  );
  queryNames = [...new Set(parameters.filter((one) => one.in === "query").map((one) => one.name))];
});
afterAll(async () => {
  await farm.close();
  await places.close();
});

const text = fc.oneof(
  fc.constantFrom(
    ...["", "\u0000", "%", "%00", "'; drop table reading; --", "__proto__", "-1", "0", "1.5", "1e999", "NaN"],
    ...[
      "9".repeat(40),
      String(2 ** 31),
      String(2 ** 53),
      "💧".repeat(200),
      "2026-02-30 25:61",
      "../../etc/passwd",
    ],
    ...["2026-01-01 00:00", "true", "null", "[]", "{}", "00000000-0000-4000-8000-000000000001", "1"],
  ),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
const raw = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      "{",
      '{"a":',
      "[]",
      "null",
      "1",
      '"text"',
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{}}}',
    ],
    ...[
      "[".repeat(20_000),
      '{"a":'.repeat(5_000),
      "\ufeff{}",
      "a=1&b=2",
      `{"name":"${"x".repeat(100_000)}"}`,
    ],
  ),
  fc.string({ unit: "binary", maxLength: 100 }),
);
const contentType = fc.constantFrom(
  ...[
    "application/json",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "text/plain",
  ],
  ...["multipart/form-data", "multipart/form-data; boundary=x", "application/gzip", "x"],
);

test(`[hostile] no query, path or non-JSON body makes an operation fail (seed ${SEED})`, async () => {
  const tokens = new Map<string, string>();
  const tokenOf = async (who: string): Promise<string> => {
    const known = tokens.get(who) ?? (await farm.signIn(who)).authorization;
    tokens.set(who, known);
    return known;
  };
  const tally = new Map<number, number>();
  for (const operation of operations) {
    const who = CASES[operation.name]?.who ?? "farmer-one";
    const request = fc.tuple(
      fc.array(text, { minLength: 6, maxLength: 6 }),
      fc.dictionary(fc.constantFrom(...queryNames, "extra", "__proto__"), text, { maxKeys: 5 }),
      fc.option(fc.tuple(contentType, raw), { nil: null }),
    );
    for (const [places, query, body] of fc.sample(request, { numRuns: REQUESTS, seed: SEED })) {
      farm.clock.advance(1_000);
      let place = 0;
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(places[place++] || "0"));
      const answer = await farm.app.inject({
        method: operation.method,
        url: `${path}?${new URLSearchParams(query)}`,
        headers: {
          ...(operation.needsToken ? { authorization: await tokenOf(who) } : {}),
          ...(body ? { "content-type": body[0] } : {}),
        },
        ...(body ? { payload: body[1] } : {}),
      });
      const { statusCode } = answer;
      tally.set(statusCode, (tally.get(statusCode) ?? 0) + 1);
      const summary = [operation.name, path, query, body, statusCode];
      // An operation without a mail server or broker may answer 503.
      expect(summary).toEqual([
        ...summary.slice(0, -1),
        statusCode === 503 ? 503 : Math.min(statusCode, 499),
      ]);
      if (statusCode >= 400) expect([summary, parse(ErrorBody, answer.json()).ok]).toEqual([summary, true]);
      // A successful request has ended the session.
      if (statusCode === 401) tokens.clear();
    }
  }
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBe(operations.length * REQUESTS);
  // The fuzzed requests get beyond the first check.
  for (const status of [200, 404, 422]) expect(tally.get(status) ?? 0).toBeGreaterThan(50);
  expect((await farm.app.inject("/health")).statusCode).toBe(200);
});
