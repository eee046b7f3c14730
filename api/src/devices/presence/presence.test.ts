import { BEAT_SLOT_MS, BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { describe, expect, test } from "vitest";
import { beatsText, type Presence, readPresence, silence } from "./presence.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const known = { since: 0, listened: new Set(Array.from({ length: 1_000_000 }, (_, slot) => slot)) };

function afterMessage(at: number, before?: Presence, heardAt = at): Presence {
  const after = readPresence(before, { at, heardAt, isLive: false });
  if (!after) throw new Error("the device has sent no message");
  return after;
}
const text = (presence: Presence, now: number): string => beatsText(presence, now, known).text;

describe("[fleet] presence of a device", () => {
  test("[fleet] the first message is not a return", () => {
    expect(afterMessage(NOON)).toMatchObject({ online: true, flip: null, heardAt: NOON });
    expect(readPresence(undefined, { at: NOON - 2 * HOUR, heardAt: NOON, isLive: false })).toBeUndefined();
  });

  test("[fleet] goes offline and comes back once, with the time of its earlier message", () => {
    const gone = silence(afterMessage(NOON), NOON + HOUR);
    expect(gone.flip).toEqual({ at: NOON + HOUR, online: false, last: NOON });
    expect(silence(gone, NOON + 2 * HOUR)).toBe(gone);
    const back = afterMessage(NOON + 3 * HOUR, gone);
    expect(back.flip).toEqual({ at: NOON + 3 * HOUR, online: true, last: NOON });
    expect(afterMessage(NOON + 4 * HOUR, back).flip).toBe(back.flip);
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
