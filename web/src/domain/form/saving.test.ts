import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, passTime, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../../api/errors.ts";
import { type SaveState, Saving, type Stored } from "./saving.ts";

interface Values {
  readonly name: string;
  readonly crops: string;
}
const BASE: Values = { name: "north", crops: "rice" };
const SENT: Values = { ...BASE, name: "south" };
const STALE = new ApiError(412, { code: "changed-meanwhile", message: "" }, null);
const NO_ANSWER = new NoAnswerError("PUT");

let clock: ReturnType<typeof createFakeClock>;
let timers: ReturnType<typeof createFakeTimers>;
let saving: Saving<Values>;
let words: SaveState<Values>["kind"][];
let calls: number;
/** Results of the next calls: an error, or null for an answer; without one a call has no answer. */
let results: (Error | null)[];

const send = async (): Promise<void> => {
  calls += 1;
  const result = results.shift();
  if (result === null) return;
  throw result ?? NO_ANSWER;
};
const base = (version: string | null): Stored<Values> => ({ values: BASE, version });
const save = async (version: string | null, read?: () => Promise<Values>): Promise<void> => {
  await saving.save({ sent: SENT, base: base(version), send, read });
};
const pass = (ms: number): Promise<void> => passTime(clock, [timers], ms);

describe("saving", () => {
  beforeEach(() => {
    clock = createFakeClock();
    timers = createFakeTimers(clock);
    saving = new Saving<Values>(timers);
    words = [];
    calls = 0;
    results = [];
    saving.begin(({ kind }) => words.push(kind));
  });

  it("[W-6] sends a change without an answer again, until it is known, where its version protects others", async () => {
    await save("v1");
    expect(words).toEqual(["sending", "unknown"]);
    results = [NO_ANSWER, new ApiError(503, { code: "upstream-down", message: "" }, null), null];
    await pass(20_000);
    expect(words).toEqual(["sending", "unknown", "saved"]);
    expect(calls).toBe(4);
    await pass(60_000);
    expect(calls).toBe(4);
  });

  it("[W-6] ends the doubt by the report of another version, with the content or without it", async () => {
    for (const [values, word] of [
      [{ name: "south", crops: "wheat" }, "found"],
      [{ name: "east", crops: "rice" }, "replaced"],
    ] as const) {
      words = [];
      results = [NO_ANSWER, STALE];
      await save("v1");
      await pass(1_500);
      expect(words).toEqual(["sending", "unknown"]);
      saving.reported(base("v1"));
      expect(words).toHaveLength(2);
      saving.reported({ values, version: "v2" });
      expect(words.at(-1)).toBe(word);
    }
  });

  it("[W-6] does not call a content refused whose earlier call without an answer changed the version", async () => {
    results = [NO_ANSWER, STALE];
    await save("v1");
    await save("v1");
    expect(words).toEqual(["sending", "unknown", "sending", "unknown"]);
    saving.reported({ values: SENT, version: "v2" });
    expect(words.at(-1)).toBe("found");
    results = [STALE];
    await save("v1");
    expect(words.at(-1)).toBe("refused");
  });

  it("[W-6] is not sent again without a version, and ends with a report of it, whatever else changed", async () => {
    await save(null);
    await pass(60_000);
    expect(calls).toBe(1);
    saving.reported({ values: { name: "east", crops: "rice" }, version: null });
    expect(words.at(-1)).toBe("unknown");
    saving.reported({ values: { name: "south", crops: "wheat" }, version: null });
    expect(words.at(-1)).toBe("found");
  });

  it("[W-6] reads what the page does not follow, and sends it again only over what the fields were changed from", async () => {
    let stored: Values | null = null;
    const read = async (): Promise<Values> => {
      if (stored === null) throw NO_ANSWER;
      return stored;
    };
    await save(null, read);
    await pass(1_500);
    expect(calls).toBe(1);
    stored = { name: "south", crops: "wheat" };
    await pass(10_000);
    expect(words.at(-1)).toBe("found");
    await save(null, read);
    stored = { name: "east", crops: "rice" };
    await pass(1_500);
    expect([words.at(-1), calls]).toEqual(["replaced", 2]);
    await save(null, read);
    stored = BASE;
    results = [null];
    await pass(1_500);
    expect([words.at(-1), calls]).toEqual(["saved", 4]);
  });

  it("[W-6] is refused at last by what a server answers about the content, and by nothing else", async () => {
    await save("v1");
    results = [401, 429, 403].map((status) => new ApiError(status, { code: "x", message: "" }, null));
    await pass(3_500);
    expect(words.at(-1)).toBe("unknown");
    await pass(10_000);
    expect(words.at(-1)).toBe("refused");
  });

  it("[W-6] sends nothing again once its form is left, or another content is saved", async () => {
    await save("v1");
    results = [null];
    await save("v1");
    await pass(60_000);
    expect(calls).toBe(2);
    await save("v1");
    saving.end();
    await pass(60_000);
    await settle();
    expect(calls).toBe(3);
  });
});
