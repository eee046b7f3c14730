import { BEAT_SLOT_MS, BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { describe, expect, test } from "vitest";
import { beatsText, type Presence, readPresence, silence } from "./presence.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const known = { since: 0, listened: new Set(Array.from({ length: 1_000_000 }, (_, slot) => slot)) };

const afterMessage = (at: number, before?: Presence, heardAt = at): Presence =>
  readPresence(before, { at, heardAt, isLive: false });
const text = (presence: Presence, now: number): string => beatsText(presence, now, known).text;

describe("[fleet] presence of a device", () => {
  test("[FLIP-1] the first message of a device is a flip", () => {
    const first = afterMessage(NOON);
    expect(first).toMatchObject({ online: true, heardAt: NOON });
    expect(first.flip).toEqual({ at: NOON, online: true, last: null });
    // A message of the past proves a contact of the past.
    const past = NOON - 27 * HOUR;
    expect(afterMessage(past, undefined, NOON)).toMatchObject({
      online: false,
      heardAt: past,
      flip: { at: past + HOUR, online: false, last: past },
    });
  });

  test("[fleet] goes offline and comes back once, with the time of its earlier message", () => {
    const gone = silence(afterMessage(NOON), HOUR);
    expect(gone.flip).toEqual({ at: NOON + HOUR, online: false, last: NOON });
    expect(silence(gone, 2 * HOUR)).toBe(gone);
    const back = afterMessage(NOON + 3 * HOUR, gone);
    expect(back.flip).toEqual({ at: NOON + 3 * HOUR, online: true, last: NOON });
    expect(afterMessage(NOON + 4 * HOUR, back).flip).toBe(back.flip);
  });

  test("[FLIP-1] knows the contact after the last gap of an hour, whether that was judged as a silence or not", () => {
    const first = afterMessage(NOON);
    expect(first.backAt).toBeNull();
    expect(afterMessage(NOON + HOUR - 1, first).backAt).toBeNull();
    for (const before of [first, silence(first, HOUR)]) {
      const back = afterMessage(NOON + 2 * HOUR, before);
      expect(back.backAt).toBe(NOON + 2 * HOUR);
      expect(afterMessage(NOON + 2.5 * HOUR, back).backAt).toBe(NOON + 2 * HOUR);
    }
  });

  test("[FLIP-1] a message of the past moves the last contact of a silent device, and ends no silence", () => {
    const gone = silence(afterMessage(NOON), 5 * HOUR);
    const still = afterMessage(NOON + 2 * HOUR, gone, NOON + 40 * HOUR);
    expect(still).toMatchObject({ online: false, heardAt: NOON + 2 * HOUR });
    expect(still.flip).toEqual({ at: NOON + 7 * HOUR, online: false, last: NOON + 2 * HOUR });
  });

  test("[fleet] marks the half-hours of two days, including late and early ones, and drops older ones", () => {
    let presence = afterMessage(NOON);
    presence = afterMessage(NOON + BEAT_SLOT_MS * 2, presence);
    presence = afterMessage(NOON + BEAT_SLOT_MS, presence);
    presence = afterMessage(NOON - 60 * HOUR, presence);
    expect(text(presence, NOON + BEAT_SLOT_MS * 3)).toMatch(/^0+1110$/);
    presence = afterMessage(NOON + 100 * HOUR, presence);
    expect(text(presence, NOON + 100 * HOUR)).toBe("1".padStart(BEAT_SLOTS, "0"));
    expect(text(presence, NOON + 400 * HOUR)).toBe("0".repeat(BEAT_SLOTS));
  });
});
