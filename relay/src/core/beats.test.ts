import { expect, test } from "vitest";
import { createBeats } from "./beats.ts";

const SLOT = 1_800_000;
const START = SLOT * 1_000_000;
const unseen = (slots: number): string => "-".repeat(slots);

function beatsAt(): { now: { at: number }; beats: ReturnType<typeof createBeats> } {
  const now = { at: START };
  return { now, beats: createBeats(() => now.at) };
}

test("[fleet] a half-hour is heard, silent, or nobody looked", () => {
  const { now, beats } = beatsAt();
  beats.heard("a", now.at);
  now.at += SLOT;
  beats.looked("a");
  now.at += 2 * SLOT;
  beats.looked("a");
  beats.heard("a", now.at + 5);
  expect(beats.of("a")).toEqual({ slot: 1_000_003, text: `${unseen(92)}10-1` });
  // Looking at what was heard does not unhear it.
  beats.looked("a");
  expect(beats.of("a").text.at(-1)).toBe("1");
  expect(beats.of("b").text).toBe(unseen(96));
});

test("[fleet] what a list says late belongs to the half-hour in which it was", () => {
  const { now, beats } = beatsAt();
  beats.heard("a", now.at - 3 * SLOT);
  beats.heard("a", now.at - 95 * SLOT);
  beats.heard("a", now.at - 96 * SLOT);
  beats.heard("a", now.at + SLOT);
  expect(beats.of("a").text).toBe(`1${unseen(91)}1---`);
});

test("[fleet] after two days nothing is left", () => {
  const { now, beats } = beatsAt();
  beats.heard("a", now.at);
  now.at += 95 * SLOT;
  expect(beats.of("a").text).toBe(`1${unseen(95)}`);
  now.at += SLOT;
  expect(beats.of("a").text).toBe(unseen(96));
  now.at += 1_000 * SLOT;
  expect(beats.of("a").text).toBe(unseen(96));
});

test("[fleet] what others saw is added, and takes nothing away", () => {
  const { now, beats } = beatsAt();
  beats.heard("a", now.at);
  const theirs = { slot: 1_000_000 - 1, text: `${unseen(93)}101` };
  beats.merge("a", theirs);
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
  beats.merge("a", { slot: 1_000_000, text: unseen(96) });
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
  beats.merge("a", { slot: 2_000_000, text: "1".repeat(96) });
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
});

test("[fleet] what has changed is kept once", () => {
  const { now, beats } = beatsAt();
  beats.heard("a", now.at);
  beats.looked("b");
  expect(beats.takeChanged().sort()).toEqual(["a", "b"]);
  beats.heard("a", now.at);
  beats.looked("b");
  beats.forget("c");
  expect(beats.takeChanged()).toEqual([]);
});
