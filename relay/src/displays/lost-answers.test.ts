import { describe, expect, test } from "vitest";
import { DISPLAY_LIMITS } from "./limits.ts";
import { createLostAnswers } from "./lost-answers.ts";

describe("a token whose answer was lost", () => {
  test("[displays] may be asked for once more, by the same screen and within a minute", () => {
    const lost = createLostAnswers();
    lost.said("dev-1", "d1", 0);
    lost.said("dev-2", "d2", 0);
    expect(lost.again("dev-3", 1)).toBeUndefined();
    expect(lost.again("dev-1", DISPLAY_LIMITS.lostMs)).toBe("d1");
    expect(lost.again("dev-1", DISPLAY_LIMITS.lostMs)).toBeUndefined();
    expect(lost.again("dev-2", DISPLAY_LIMITS.lostMs + 1)).toBeUndefined();
  });

  test("[displays] was heard once the display has shown it", () => {
    const lost = createLostAnswers();
    lost.said("dev-1", "d1", 0);
    lost.used("d1");
    expect(lost.again("dev-1", 1)).toBeUndefined();
  });

  test("[displays] is remembered of so many screens, the oldest forgotten first", () => {
    const lost = createLostAnswers();
    for (let screen = 0; screen <= DISPLAY_LIMITS.timed; screen += 1) lost.said(`dev-${screen}`, "d", 0);
    expect(lost.again("dev-0", 1)).toBeUndefined();
    expect(lost.again("dev-1", 1)).toBe("d");
  });
});
