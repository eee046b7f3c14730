import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, passTime, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, NoAnswerError, NotSentError } from "../../api/errors.ts";
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
    saving = new Saving<Values>(timers, () => "key");
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
    results = [401, 429, 403, 422].map((status) => new ApiError(status, { code: "x", message: "" }, null));
    await pass(8_500);
    expect(words.at(-1)).toBe("unknown");
    await pass(10_000);
    expect(words.at(-1)).toBe("refused");
  });

  it.each(
    [
      ...[401, 403, 408, 429, 500, 502, 503, 504].map((status) => ({ status, word: "unknown" })),
      ...[400, 404, 409, 413, 422].map((status) => ({ status, word: "refused" })),
      { status: "not sent", word: "unknown" } as const,
    ].flatMap((one) => ["press", "by itself"].map((how) => ({ ...one, how }))),
  )(
    "[W-6] what is said of the caller or the line is no word about an earlier call: %o",
    async ({ status, word, how }) => {
      await save("v1");
      const error =
        typeof status === "number"
          ? new ApiError(status, { code: "x", message: "" }, null)
          : new NotSentError();
      results = [error];
      await (how === "press" ? save("v1") : pass(1_500));
      expect(words.at(-1)).toBe(word);
    },
  );

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

  describe("a creation", () => {
    let keys: string[];
    let made: number;
    /** Answer of the list: an error for a list that does not answer. */
    let listed: boolean | Error;
    /** False: the list lacks it once. */
    let isListedAtFirst: boolean;
    beforeEach(() => {
      isListedAtFirst = true;
      keys = [];
      made = 0;
      listed = false;
      saving = new Saving<Values>(timers, () => {
        made += 1;
        return `key ${made}`;
      });
      saving.begin(({ kind }) => words.push(kind));
    });
    const refusal = (status: number) => new ApiError(status, { code: "x", message: "" }, null);
    const exists = async (): Promise<boolean> => {
      if (!isListedAtFirst) {
        isListedAtFirst = true;
        return false;
      }
      if (typeof listed === "boolean") return listed;
      throw listed;
    };
    const create = (isIdempotent: boolean, sent = SENT): void => {
      const sendUnder = (key: string): Promise<void> => {
        keys.push(key);
        return send();
      };
      void saving.save({ sent, base: base(null), send: sendUnder, creates: { isIdempotent, exists } });
    };

    it("[W-6] is sent again under its key, whichever server gave it up, until its outcome is known", async () => {
      results = [refusal(503), refusal(504), NO_ANSWER, refusal(429), refusal(403), refusal(500), null];
      create(true);
      await pass(3_500);
      expect(words.at(-1)).toBe("unknown");
      await pass(60_000);
      expect(words.at(-1)).toBe("saved");
      expect(new Set(keys)).toEqual(new Set(["key 1"]));
      expect(keys).toHaveLength(7);
      create(true, { ...SENT, name: "west" });
      expect(keys.at(-1)).toBe("key 2");
    });

    it("[W-6] is not called refused by a list while a call may still be under way", async () => {
      results = [refusal(504)];
      create(true);
      await settle();
      expect(words.at(-1)).toBe("unknown");
      results = [refusal(500)];
      await pass(1_500);
      expect(words.at(-1)).toBe("unknown");
    });

    it("[W-6] that its server tried in vain is not done if the list does not have it", async () => {
      results = [refusal(500)];
      create(true);
      await settle();
      expect(words.at(-1)).toBe("refused");
    });

    it("[W-6] in front of a plain farm API is listed before it is sent again, however long the list fails", async () => {
      results = [refusal(504)];
      listed = refusal(503);
      create(false);
      await pass(60_000);
      expect([words.at(-1), calls]).toEqual(["unknown", 1]);
      listed = true;
      await pass(10_000);
      expect([words.at(-1), calls]).toEqual(["saved", 1]);
    });

    it("[W-6] in front of a plain farm API is created where its own first call is in the way", async () => {
      results = [NO_ANSWER];
      create(false);
      await pass(500);
      results = [refusal(409)];
      // The first call arrives after the list was read.
      isListedAtFirst = false;
      listed = true;
      await pass(5_000);
      expect([words.at(-1), calls]).toEqual(["saved", 2]);
    });

    it("[W-6] is refused by what a server answers about the content, and stays unknown where the session ends", async () => {
      results = [NO_ANSWER, refusal(422)];
      create(true);
      await pass(1_500);
      expect(words.at(-1)).toBe("refused");
      results = [NO_ANSWER, refusal(401)];
      create(true);
      await pass(1_500);
      expect(words.at(-1)).toBe("unknown");
      results = [refusal(409)];
      create(true);
      await settle();
      expect(words.at(-1)).toBe("refused");
    });
  });
});
