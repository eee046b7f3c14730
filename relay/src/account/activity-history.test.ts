import { expect, test } from "vitest";
import { createActivityHistory } from "./activity-history.ts";

const SLOT = 1_800_000;
const START = SLOT * 1_000_000;
const unseen = (slots: number): string => "-".repeat(slots);

function beatsAt(): { now: { at: number }; beats: ReturnType<typeof createActivityHistory> } {
  const now = { at: START };
  return { now, beats: createActivityHistory(() => now.at) };
}

test("[fleet] a half-hour is received, silent, or not watched", () => {
  const { now, beats } = beatsAt();
  beats.record("a", now.at);
  now.at += SLOT;
  beats.markWatched("a");
  now.at += 2 * SLOT;
  beats.markWatched("a");
  beats.record("a", now.at + 5);
  expect(beats.of("a")).toEqual({ slot: 1_000_003, text: `${unseen(92)}10-1` });
  // A watch mark must not erase a report that was received.
  beats.markWatched("a");
  expect(beats.of("a").text.at(-1)).toBe("1");
  expect(beats.of("b").text).toBe(unseen(96));
});

test("[fleet] a late list entry counts for the half-hour of its own time", () => {
  const { now, beats } = beatsAt();
  beats.record("a", now.at - 3 * SLOT);
  beats.record("a", now.at - 95 * SLOT);
  beats.record("a", now.at - 96 * SLOT);
  beats.record("a", now.at + SLOT);
  expect(beats.of("a").text).toBe(`1${unseen(91)}1---`);
});

test("[fleet] drops everything after two days", () => {
  const { now, beats } = beatsAt();
  beats.record("a", now.at);
  now.at += 95 * SLOT;
  expect(beats.of("a").text).toBe(`1${unseen(95)}`);
  now.at += SLOT;
  expect(beats.of("a").text).toBe(unseen(96));
  now.at += 1_000 * SLOT;
  expect(beats.of("a").text).toBe(unseen(96));
});

test("[fleet] merges the history of others without removing its own", () => {
  const { now, beats } = beatsAt();
  beats.record("a", now.at);
  const theirs = { slot: 1_000_000 - 1, text: `${unseen(93)}101` };
  beats.merge("a", theirs);
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
  beats.merge("a", { slot: 1_000_000, text: unseen(96) });
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
  beats.merge("a", { slot: 2_000_000, text: "1".repeat(96) });
  expect(beats.of("a").text).toBe(`${unseen(92)}1011`);
});

test("[fleet] returns each changed key once", () => {
  const { now, beats } = beatsAt();
  beats.record("a", now.at);
  beats.markWatched("b");
  expect(beats.takeChanged().sort()).toEqual(["a", "b"]);
  beats.record("a", now.at);
  beats.markWatched("b");
  beats.forget("c");
  expect(beats.takeChanged()).toEqual([]);
});
