import { readFileSync } from "node:fs";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { widened } from "../../testing/later-version.ts";
import { CALLS, KEPT_SAMPLES } from "../../testing/stored-samples.ts";
import { REDIS_SCHEMA } from "../store/redis/redis-store.ts";

/** Messages that relays of this schema version wrote when it began; only ever added to. */
const Fixture = Type.Record(Type.String(), Type.Array(Type.Unknown()));

function recorded(): Record<string, unknown[]> {
  const url = new URL(`../../testing/recorded/schema-${REDIS_SCHEMA}.json`, import.meta.url);
  const parsed = parseJson(Fixture, readFileSync(url, "utf8"));
  if (!parsed.ok) throw new Error(`${url} ${parsed.path} ${parsed.message}`);
  return parsed.value;
}

const sampleCalled = (name: string) => {
  const found = KEPT_SAMPLES.find((sample) => sample.name === name);
  if (!found) throw new Error(`nothing is called ${name} any more; nodes and stores of before still say it`);
  return found;
};

/**
 * Return the fields of the older value that the newer one lacks or has with another value; `null` may become
 * anything.
 */
function missing(older: unknown, newer: unknown, path = ""): string[] {
  if (older === null || newer === null) return [];
  if (Array.isArray(older) && Array.isArray(newer)) {
    return older.flatMap((each, index) => missing(each, newer[index], `${path}/${index}`));
  }
  if (typeof older !== typeof newer || Array.isArray(older) !== Array.isArray(newer)) return [path];
  if (typeof older !== "object" || typeof newer !== "object") return [];
  const fields = new Map<string, unknown>(Object.entries(newer));
  return Object.entries(older).flatMap(([key, each]) =>
    fields.has(key) ? missing(each, fields.get(key), `${path}/${key}`) : [`${path}/${key}`],
  );
}

describe.each(Object.entries(recorded()))("%s, stored or sent by another version", (name, values) => {
  const { schema, values: today } = sampleCalled(name);

  test("[NODE-6] is read as it was when this schema version began, with defaults for later fields", () => {
    for (const value of values) expect(parse(schema, value)).toMatchObject({ ok: true });
  });

  test("[NODE-6] is read with fields that a later version has added", () => {
    for (const value of [...values, ...today])
      expect(parse(schema, widened(value))).toMatchObject({ ok: true });
  });

  test("[NODE-6] is written today with every field that earlier relays require", () => {
    expect(values.flatMap((value, index) => missing(value, today[index], `/${index}`))).toEqual([]);
  });
});

test("[NODE-6] has a sample of every call between relays", () => {
  const sent = JSON.stringify(sampleCalled("work").values);
  expect(CALLS.filter(({ wire }) => !sent.includes(`"do":"${wire}"`))).toEqual([]);
});

test("[NODE-6] has a sample for everything that is stored or sent", () => {
  expect(KEPT_SAMPLES.map(({ name }) => name).sort()).toEqual(Object.keys(recorded()).sort());
});
